import type { ArchiveCommand } from '../../app/protocol/archive';
import type { RunFilter } from './sessions-store';

type AskedFilter = NonNullable<ArchiveCommand<'listRuns'>['filter']>;

/** The filter as the archive takes it. */
export function askedFilter(filter: RunFilter): AskedFilter {
  return {
    text: filter.text.trim() || undefined,
    experiment: filter.experiment ?? undefined,
    verdict: filter.verdict ?? undefined,
    state: filter.state ?? undefined,
    host: filter.host ?? undefined,
    from: midnight(filter.from, 0),
    before: midnight(filter.until, 1),
  };
}

/** When the day begins in this machine's time zone; undefined also while its year is still being typed. */
function midnight(day: string | null, daysLater: number): string | undefined {
  const [year = 0, month = 1, date = 1] = (day ?? '').split('-').map(Number);
  if (year < 1970 || year > 9998) return undefined;
  return new Date(year, month - 1, date + daysLater).toISOString();
}
