import { encode } from 'uqr';

/** Cameras want this much white around it, in modules (ISO/IEC 18004, 9.1). */
const QUIET_ZONE = 4;

/** Black on white in either theme: that is what cameras read. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 rounded-lg border border-line bg-white text-black"
    >
      <path fill="currentColor" d={squares.join('')} />
    </svg>
  );
}
