import { useMachineSettings } from '../settings/settings-store';

const dayMs = 86_400_000;

/** For how many days deleted runs are kept; null: until they are erased. */
export function useKeepDays(): number | null {
  return useMachineSettings(({ view }) => view?.settings.keepDeletedDays ?? null);
}

/** When a run is erased by itself, as ISO 8601; null: never. */
export function erasedAt(deletedAt: string, keepDays: number | null): string | null {
  return keepDays === null ? null : new Date(Date.parse(deletedAt) + keepDays * dayMs).toISOString();
}
