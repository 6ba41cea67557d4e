import type { FilterFormat } from '#web/lib/use-url-filters.ts';
import { parsePage } from './page-numbers.ts';

type Choices = Readonly<Record<string, readonly { value: string }[]>>;

type ChoiceFilters<C extends Choices> = { search: string; page: number } & {
  [Name in keyof C]: C[Name][number]['value'];
};

/** A search and choices, by their parameters. The first option of each choice is the default. */
export function choiceFilters<C extends Choices>(choices: C): FilterFormat<ChoiceFilters<C>> {
  const read = (params: URLSearchParams) => {
    const chosen = Object.entries(choices).map(([name, options]) => {
      const option = options.find(({ value }) => value === params.get(name)) ?? options[0];
      return [name, option?.value];
    });
    const [search, page] = [params.get('search') ?? '', parsePage(params.get('page'))];
    return { search, ...Object.fromEntries(chosen), page } as ChoiceFilters<C>;
  };
  const defaults = Object.entries(read(new URLSearchParams()));
  return {
    names: defaults.map(([name]) => name),
    read,
    write: (filters) =>
      new URLSearchParams(
        defaults.filter(([name, value]) => filters[name] !== value).map(([name]) => [name, String(filters[name])]),
      ),
  };
}
