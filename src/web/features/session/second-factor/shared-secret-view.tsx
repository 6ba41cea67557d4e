import { Copy } from 'lucide-react';
import { encode } from 'uqr';
import type { SharedSecret } from '#contracts/second-factor.ts';
import { copyWithToast } from '#web/lib/export-text.ts';
import { Button } from '#web/ui/forms/button.tsx';

/** The required white border, in modules (ISO/IEC 18004, 9.1). */
const QUIET_ZONE = 4;

/** The secret as a QR code, and as text for devices without a camera. */
export function SharedSecretView({ secret, address }: SharedSecret) {
  return (
    <div className="flex flex-col items-center gap-4">
      <p className="self-stretch text-muted">
        Scan this with an authenticator app on your phone, such as Google Authenticator, Microsoft Authenticator or
        1Password.
      </p>
      <QrCode text={address} label="QR code for your authenticator app" />
      <div className="self-stretch">
        <p className="text-sm text-muted">No camera? Enter this key in the app:</p>
        <div className="bordered mt-1.5 flex items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-3">
          <code className="min-w-0 grow py-1.5 font-mono text-sm wrap-anywhere">{inGroups(secret)}</code>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Copy the key"
            className="touch-beyond relative"
            onClick={() => copyWithToast(secret)}
          >
            <Copy aria-hidden className="size-3.5" />
          </Button>
        </div>
      </div>
    </div>
  );
}

const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ');

/** Black on white in both themes, because cameras may not read the inverse. */
function QrCode({ text, label }: { text: string; label: string }) {
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
