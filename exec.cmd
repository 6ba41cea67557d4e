@rem npm scripts start with `exec`, which replaces the shell of other systems. Windows has no such command.
@%*
