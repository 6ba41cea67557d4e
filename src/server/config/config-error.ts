/** The configuration cannot be used; the message names each variable and what would be right. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(problems: string[]) {
    super(`Configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}
