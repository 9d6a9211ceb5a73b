import { readEvents, readRun as readFolder } from '../engine/sessions/read-run';
import { checkText } from './options';
import { plainEvent, plainLost, plainRow } from './plain-rows';
import { worded } from './problems';
import type { RecordedRun } from './types';

/**
 * What a folder records, whatever ended the run.
 * @throws WhitelineProblem NOT_FOUND for a folder without a run
 */
export async function readRun(folder: string): Promise<RecordedRun> {
  checkText(folder, 'folder', 'the folder of a run', 'Give what was given as out');
  try {
    const {
      rows,
      lostBetweenRows = [],
      id,
      experiment,
      title,
      state,
      startedAt,
      endedAt,
      parameters,
      verdict,
      reason,
    } = readFolder(folder);
    return {
      ...{ id, experiment, title, state, startedAt, endedAt, parameters, verdict, reason },
      ...{
        rows: rows.map(plainRow),
        lostBetweenRows: lostBetweenRows.map(plainLost),
        events: readEvents(folder).map(plainEvent),
      },
    };
  } catch (error) {
    throw worded(error);
  }
}
