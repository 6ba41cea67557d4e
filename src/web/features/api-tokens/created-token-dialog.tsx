import type { CreatedApiToken } from '#contracts/api-tokens.ts';
import { formatDate } from '#web/lib/format.ts';
import { ShownOnceDialog } from '#web/ui/overlays/shown-once-dialog.tsx';

interface Props {
  created: CreatedApiToken;
  onClose: () => void;
}

export const CreatedTokenDialog = ({ created: { name, token, expiresAt }, onClose }: Props) => (
  <ShownOnceDialog
    label="Token"
    name={name}
    value={token}
    description="Keep it secret, like a password."
    hint={`Works until ${formatDate(expiresAt)}.`}
    onClose={onClose}
  >
    <div className="flex flex-col gap-1.5">
      <p className="text-sm font-medium">Try it</p>
      <pre className="rounded-md bg-sunken px-3 py-2 text-sm wrap-anywhere whitespace-pre-wrap">
        {`curl -H 'Authorization: Bearer ${token}' ${location.origin}/api/user`}
      </pre>
    </div>
  </ShownOnceDialog>
);
