/** What the menus open over any page. */
export type ShellDialog = 'shortcuts' | 'change-password' | 'second-factor' | 'sign-out-everywhere';
