import type { GrantedFile } from '../../app/protocol/granted-file';
import { playMovie } from '../engine/source-settings';
import { showScreen } from '../navigation/shown-screen';
import { connectArchive } from '../sessions/archive';
import { importRuns } from '../sessions/session-actions';

/** What was dropped onto the window, on whatever screen: a file is played as a movie, a folder is imported as a run. */
export async function takeDropped(path: string, folder: GrantedFile | null): Promise<void> {
  if (!folder) {
    playMovie(path);
    return;
  }
  connectArchive();
  if (await importRuns(folder.grant)) showScreen('sessions');
}
