import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import type { AtsJob } from '#contracts/ats.ts';
import type { Destination } from '#contracts/rules/destination.ts';
import { MAX_SEARCH_LENGTH } from '#contracts/rules/limits.ts';
import { cn } from '#web/lib/cn.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatCount } from '#web/lib/format.ts';
import { useSettled } from '#web/lib/use-settled.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { ListOption, useChosenOption } from '#web/ui/forms/list-option.tsx';

/** Searches open jobs of the ATS by title or client. Shows nothing while no ATS is connected. */
export function FindJob({ onFind }: { onFind: (destination: Destination) => void }) {
  const { data } = useQuery({ ...endpointQuery('/api/ats'), retry: false });
  return data?.state === 'connected' && data.name ? <JobSearch name={data.name} onFind={onFind} /> : null;
}

/**
 * Follows the combobox pattern of the ARIA Authoring Practices: the focus stays in the field. The
 * list is part of the dialog's content, so that no edge of the dialog cuts it off.
 */
function JobSearch({ name, onFind }: { name: string; onFind: (destination: Destination) => void }) {
  const { text, jobs, status, option, isOpen, setOpen, search, pick } = useJobSearch(onFind);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') search('');
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') pick(jobs[option.at]);
    else if (option.move(event)) setOpen(true);
    else return;
    // Neither submits the form nor moves the cursor.
    event.preventDefault();
  };
  return (
    <Field label={`Find in ${name}`} hint={isOpen ? undefined : 'Search open jobs by title or client'}>
      {(control) => (
        <>
          <Input
            {...control}
            type="search"
            className="[&::-webkit-search-cancel-button]:hidden"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={option.listId}
            aria-autocomplete="list"
            aria-activedescendant={option.activeId}
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_SEARCH_LENGTH}
            value={text}
            onChange={(event) => search(event.target.value)}
            onKeyDown={onKeyDown}
            onBlur={() => setOpen(false)}
          />
          <div
            id={option.listId}
            role="listbox"
            aria-label="Open jobs"
            hidden={jobs.length === 0}
            className="max-h-56 overflow-y-auto rounded-md border border-line p-1"
          >
            {jobs.map((job, index) => (
              <ListOption key={`${job.employerId}-${job.jobId}`} {...option.propsOf(index)} onPick={() => pick(job)}>
                <p className="break-words">{job.title}</p>
                <p className="text-sm break-words text-muted">
                  {job.employerName} · {job.employerId}-{job.jobId}
                </p>
              </ListOption>
            ))}
          </div>
          <p role="status" className={cn('text-sm text-muted', !isOpen && 'sr-only')}>
            {status}
          </p>
        </>
      )}
    </Field>
  );
}

/** The text, the jobs of the open list, and which of them is chosen. */
function useJobSearch(onFind: (destination: Destination) => void) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { jobs, status } = useJobs(text, isOpen);
  const option = useChosenOption(jobs.length);
  const search = (next: string) => {
    setText(next);
    option.choose(0);
    setOpen(next.trim() !== '');
  };
  const pick = (job: AtsJob | undefined) => {
    if (!job) return;
    onFind({ employerId: job.employerId, jobId: job.jobId });
    search('');
  };
  return { text, jobs, status, option, isOpen, setOpen, search, pick };
}

function useJobs(text: string, isOpen: boolean): { jobs: AtsJob[]; status: string } {
  const search = useSettled(text.trim());
  const { data, error, isFetching } = useQuery({
    ...endpointQuery('/api/ats/jobs', { query: { search } }),
    enabled: isOpen && search === text.trim(),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!isOpen) return { jobs: [], status: '' };
  const isSearching = isFetching || search !== text.trim();
  const jobs = (!error && data) || [];
  if (isSearching) return { jobs, status: 'Searching...' };
  if (error) return { jobs, status: error.message };
  return { jobs, status: jobs.length === 0 ? 'No open jobs found' : formatCount(jobs.length, 'job') };
}
