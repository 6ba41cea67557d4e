/** The first letter of a name in a circle. */
export const Avatar = ({ name }: { name: string }) => (
  <span
    aria-hidden
    className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-sm font-semibold text-muted uppercase"
  >
    {name.slice(0, 1)}
  </span>
);
