import { Archive, Download, Ellipsis } from 'lucide-react';
import { csvUrl, type InterviewFilters } from '#web/features/interviews/interview-filters.ts';
import { ViewItems } from '#web/features/interviews/views/views-menu.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { DropdownMenu, MenuChoices, MenuItem, MenuSeparator } from '#web/ui/overlays/dropdown-menu.tsx';
import { asLayout, LAYOUT_CHOICES, type Layout } from './layout-toggle.tsx';
import { AnswersItem } from './review.tsx';

interface Props {
  filters: InterviewFilters;
  layout: Layout;
  onLayout: (layout: Layout) => void;
  onArchived: (archived: boolean) => void;
}

/** On narrow screens: what wide ones show as buttons. */
export const MoreMenu = ({ filters, layout, onLayout, onArchived }: Props) => (
  <DropdownMenu
    className="w-60"
    trigger={
      <Button size="icon" aria-label="More" className="xl:hidden">
        <Ellipsis aria-hidden />
      </Button>
    }
  >
    <MenuItem
      icon={Archive}
      label={filters.archived ? 'Hide archived' : 'Show archived'}
      onSelect={() => onArchived(!filters.archived)}
    />
    <AnswersItem />
    <MenuItem asChild>
      <a href={csvUrl(filters)} download>
        <Download aria-hidden />
        Export as CSV
      </a>
    </MenuItem>
    <MenuSeparator />
    <MenuChoices
      label="Layout"
      value={layout}
      choices={LAYOUT_CHOICES.map((choice) => ({ value: choice.layout, label: choice.label }))}
      closes
      onChange={(value) => onLayout(asLayout(value) ?? layout)}
    />
    <MenuSeparator />
    <ViewItems filters={filters} />
  </DropdownMenu>
);
