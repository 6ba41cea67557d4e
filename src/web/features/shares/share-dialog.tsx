import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { ResponseOf } from '#contracts/endpoint.ts';
import type { Interview, listInterviews } from '#contracts/interviews.ts';
import type { NewLink } from '#contracts/shares.ts';
import { useEdited } from '#web/features/drafts/use-unsaved-changes.tsx';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { copyWithToast } from '#web/lib/export-text.ts';
import { formatCount } from '#web/lib/format.ts';
import { Loading } from '#web/ui/feedback/loading.tsx';
import { Button } from '#web/ui/forms/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { useCreateShares } from './share-actions.ts';
import { draftOf, problemOf, sharesOf } from './share-draft.ts';
import { ShareFields } from './share-fields.tsx';
import { SharePreview } from './share-preview.tsx';

interface Props {
  ids: string[];
  /** Interviews that the page has already loaded. */
  known: readonly Interview[];
  onClose: () => void;
}

type Page = ResponseOf<typeof listInterviews> | null;

/**
 * The interviews when the dialog opened. The cache also has those selected on other pages.
 */
function useInterviews(ids: readonly string[], known: readonly Interview[]): readonly (Interview | undefined)[] {
  const queryClient = useQueryClient();
  const [interviews] = useState(() => {
    const pages = queryClient.getQueriesData<Page>({ queryKey: ['/api/interviews'] });
    const cached = pages.flatMap(([, page]) => page?.interviews ?? []);
    return ids.map((id) => [...known, ...cached].find((interview) => interview.id === id));
  });
  return interviews;
}

/** Shares interviews with people who have no account. */
export function ShareDialog({ ids, known, onClose }: Props) {
  const [links, setLinks] = useState<NewLink[] | null>(null);
  const [first, ...others] = useInterviews(ids, known);
  // An unknown interview may belong to another client.
  const isOneClient = others.every((one) => first && one?.clientName === first.clientName);
  const defaults = useQuery({
    ...endpointQuery('/api/share-defaults', { query: { interviewId: ids[0] ?? '' } }),
    enabled: isOneClient,
    // Typed text would be lost.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (links) return <CreatedLinks links={links} onClose={onClose} />;
  const heading = `Share ${formatCount(ids.length, 'candidate')}`;
  if (isOneClient && defaults.isPending)
    return (
      <Dialog onClose={onClose} title={heading}>
        <Loading>Loading...</Loading>
      </Dialog>
    );
  const client = isOneClient && first?.clientName;
  const draft = draftOf(defaults.data ?? null, client ? `Candidates for ${client}` : 'Candidates');
  return <ShareForm {...{ ids, heading, onClose }} initial={draft} onShared={setLinks} />;
}

interface FormProps {
  ids: string[];
  heading: string;
  initial: ReturnType<typeof draftOf>;
  onShared: (links: NewLink[]) => void;
  onClose: () => void;
}

function ShareForm({ ids, heading, initial, onShared, onClose }: FormProps) {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const { draft, change, changed, leave, question } = useEdited(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const create = useCreateShares(onShared);
  const requestClose = () => create.isPending || leave(onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemOf(draft);
    setProblem(found);
    if (found === null) create.mutate({ body: sharesOf(draft, ids) });
  };
  return (
    <Dialog
      onClose={requestClose}
      guardsBack={changed || create.isPending}
      size="xl"
      title={heading}
      description="Each recipient gets their own link and doesn't need an account."
      startAt={() => form.current?.querySelector('input')}
      footer={
        <>
          {problem && (
            <p role="alert" className="mr-auto self-center text-sm text-danger-ink">
              {problem}
            </p>
          )}
          <Button onClick={requestClose} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" pending={create.isPending}>
            {draft.send ? 'Share and send' : 'Create links'}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-6 md:grid-cols-2">
        <form id={formId} ref={form} onSubmit={submit} noValidate autoComplete="off">
          <ShareFields
            draft={draft}
            onChange={(part) => {
              change(part);
              setProblem(null);
            }}
          />
        </form>
        <section aria-label="Preview" className="min-w-0">
          <p aria-hidden className="mb-1.5 text-sm font-medium">
            Preview
          </p>
          <SharePreview draft={draft} ids={ids} />
        </section>
      </div>
      {question}
    </Dialog>
  );
}

/** The links cannot be shown again. */
export function CreatedLinks({ links, onClose }: { links: readonly NewLink[]; onClose: () => void }) {
  const copyAll = useRef<HTMLButtonElement>(null);
  const text = links.map(({ recipient, link }) => `${recipient.name}: ${link}`).join('\n');
  return (
    <Dialog
      onClose={onClose}
      guardsBack
      title={links.length === 1 ? 'Link created' : 'Links created'}
      description="Copy them now: they won't be shown again. You can create new ones under Links."
      startAt={() => copyAll.current}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button ref={copyAll} variant="primary" onClick={() => copyWithToast(text, 'Links copied')}>
            <Copy aria-hidden />
            {links.length === 1 ? 'Copy link' : 'Copy all'}
          </Button>
        </>
      }
    >
      <ul className="space-y-3">
        {links.map(({ id, recipient, link }) => (
          <li key={id}>
            <p className="mb-1 text-sm font-medium break-words">{recipient.name}</p>
            <div className="flex gap-2">
              <Input
                readOnly
                aria-label={`Link of ${recipient.name}`}
                value={link}
                onFocus={({ currentTarget }) => currentTarget.select()}
              />
              <Button
                size="icon"
                aria-label={`Copy the link of ${recipient.name}`}
                onClick={() => copyWithToast(link, 'Link copied')}
              >
                <Copy aria-hidden />
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
