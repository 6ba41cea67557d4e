import { StepHeads } from '#web/features/interviews/card/step-state.tsx';

/** The heads above the columns of `InterviewRow`. Rows name their values to screen readers. */
export const CompactHeads = () => (
  <div aria-hidden className="flex h-6 items-start pr-4 pl-9 text-xs text-faint max-md:hidden md:gap-3 xl:gap-5">
    <span className="w-16 shrink-0" />
    <span className="min-w-0 grow">Candidate</span>
    <span className="w-23 shrink-0 lg:w-40">Status</span>
    <span className="hidden w-40 shrink-0 xl:block">Client</span>
    <StepHeads />
    <span className="hidden w-41 shrink-0 lg:block">Recording</span>
    <span className="w-15.5 shrink-0" />
  </div>
);
