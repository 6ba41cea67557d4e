import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '#contracts/accounts.ts';
import type { CreatedApiToken } from '#contracts/api-tokens.ts';
import { endpointQuery } from '#web/lib/endpoint-query.ts';
import { formatDate } from '#web/lib/format.ts';
import { useMay } from '#web/lib/may.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { ShownOnceDialog } from '#web/ui/overlays/shown-once-dialog.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { TokenList } from './token-list.tsx';

/** Reloaded whenever it is shown: the times of use are not announced. */
const tokensQuery = { ...endpointQuery('/api/tokens'), staleTime: 0 };

/** Lists the API tokens of the user, creates them and revokes them. */
export function ApiTokensDialog({ onClose }: { onClose: () => void }) {
  const may = useMay();
  const tokens = useQuery(tokensQuery);
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiToken | null>(null);
  const showList = () => {
    setIsCreating(false);
    setCreated(null);
  };
  if (created) return <CreatedTokenDialog created={created} onClose={showList} />;
  if (isCreating) return <NewTokenDialog onCreated={setCreated} onClose={showList} />;
  return (
    <Dialog
      onClose={onClose}
      title="API tokens"
      description="Programs call the API with a token instead of your password."
      footer={
        <>
          <Button asChild variant="link" className="mr-auto">
            <a href="/api/docs" target="_blank" rel="noreferrer">
              API documentation
            </a>
          </Button>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={() => setIsCreating(true)}>
            New token
          </Button>
        </>
      }
    >
      <TokenList
        tokens={tokens}
        empty={`Create one to list${may('POST /api/uploads') ? ', process or upload' : ''} interviews from a program.`}
      />
    </Dialog>
  );
}

interface CreatedTokenProps {
  created: CreatedApiToken;
  onClose: () => void;
}

const CreatedTokenDialog = ({ created: { name, token, expiresAt }, onClose }: CreatedTokenProps) => (
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

/** Lets administrators see and revoke the API tokens of an account. */
export function AccountTokensDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { id, username } = account;
  const tokens = useQuery({ ...endpointQuery('/api/accounts/:id/tokens', { params: { id } }), staleTime: 0 });
  return (
    <Dialog
      onClose={onClose}
      title={`API tokens of ${username}`}
      description={`Programs use them with ${username}'s rights.`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <TokenList tokens={tokens} empty={`${username} hasn't created any.`} />
    </Dialog>
  );
}
