/** What the menus open over any page. */
export type ShellDialog = 'shortcuts' | 'change-password' | 'sign-out-everywhere';
