import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FilterControls, type FilterControlsProps, OrderSelect } from './filter-controls.tsx';

interface Props extends FilterControlsProps {
  /** The number of interviews that match. */
  total: number;
  onClear: () => void;
  onClose: () => void;
}

/**
 * The filters on screens that have no room for them in the page. Each change applies immediately.
 */
export const FilterSheet = ({ total, onClear, onClose, ...controls }: Props) => (
  <Dialog
    onClose={onClose}
    title="Filters"
    className="grid grid-cols-1 content-start gap-2.5 py-3 sm:grid-cols-2"
    footer={
      <>
        <Button variant="ghost" onClick={onClear}>
          Clear filters
        </Button>
        <Button variant="primary" onClick={onClose}>
          Show {formatCount(total, 'interview')}
        </Button>
      </>
    }
  >
    <FilterControls {...controls} />
    <OrderSelect filters={controls.filters} onChange={controls.onChange} />
  </Dialog>
);
