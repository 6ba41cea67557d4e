/** For what somebody signed in proves anew who they are. */
export type Purpose = 'set-up' | 'move' | 'renew' | 'off';

interface Words {
  title: string;
  description: string;
  submit: string;
}

export const PURPOSES: Record<Purpose, Words> = {
  'set-up': {
    title: 'Set up two-factor sign-in',
    description:
      'At each sign-in you then enter a code of an app on your phone as well: whoever learns your password does not get in. Your other browsers will be signed out.',
    submit: 'Continue',
  },
  move: {
    title: 'Use another app',
    description: 'For a new phone. The app you have counts until the first code of the new one.',
    submit: 'Continue',
  },
  renew: {
    title: 'New recovery codes',
    description: 'The recovery codes you have will no longer sign you in.',
    submit: 'Make new codes',
  },
  off: {
    title: 'Turn off two-factor sign-in',
    description: 'Your password alone will sign you in. Your other browsers will be signed out.',
    submit: 'Turn off',
  },
};
