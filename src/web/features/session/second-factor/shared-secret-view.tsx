import { Copy } from 'lucide-react';
import type { SharedSecret } from '#contracts/second-factor.ts';
import { copyOrSay } from '#web/features/session/second-factor/copy-or-say.ts';
import { QrCode } from '#web/features/session/second-factor/qr-code.tsx';
import { Button } from '#web/ui/button.tsx';

/** What the authenticator app needs: to be scanned, or typed where there is no camera. */
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
        <div className="mt-1.5 flex items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-3">
          <code className="min-w-0 grow py-1.5 font-mono text-sm wrap-anywhere">{inGroups(secret)}</code>
          <Button variant="ghost" size="icon-sm" aria-label="Copy the key" onClick={() => copyOrSay(secret)}>
            <Copy aria-hidden className="size-3.5" />
          </Button>
        </div>
      </div>
    </div>
  );
}

const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ');
