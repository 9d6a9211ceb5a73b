import type { ArchivedRun } from '../../app/protocol/archive';

export function archivedRun(folder: string, change: Partial<ArchivedRun> = {}): ArchivedRun {
  return {
    id: folder,
    folder,
    experiment: 'stream-load',
    title: 'Stream load',
    state: 'finished',
    startedAt: '2026-11-21T19:00:00.000Z',
    endedAt: '2026-11-21T19:01:10.000Z',
    verdict: 'PASS',
    reason: '4 streams of 1280×720@60 ran without loss.',
    command: 'whiteline run stream-load --source white-line --format 1280x720@60',
    thresholdProfile: 'default',
    rows: 6,
    hosts: ['rack-04'],
    ...{ sources: ['white-line'], formats: ['1280x720@60'], streams: 4, streamNames: [], recordedIn: '' },
    notes: [],
    isBaseline: false,
    ...{ session: null, sessionName: null },
    ...change,
  };
}
