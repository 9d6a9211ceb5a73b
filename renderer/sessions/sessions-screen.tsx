import { useEffect } from 'react';
import { connectArchive } from './archive';
import { ComparisonView } from './comparison-view';
import { HistoryView } from './history-view';
import { GoneNotice } from './notice';
import { RunView } from './run-view';
import { SessionView } from './session-view';
import { SessionsSheets } from './sessions-sheets';
import { useSessions } from './sessions-store';
import { UndoToasts } from './undo-toasts';

/** All recorded runs: the history, one of them, or some side by side. */
export function SessionsScreen() {
  const view = useSessions((state) => state.view);

  useEffect(connectArchive, []);

  return (
    <>
      <GoneNotice />
      {view.name === 'history' && <HistoryView />}
      {view.name === 'session' && <SessionView key={view.folder} folder={view.folder} />}
      {view.name === 'run' && <RunView key={view.folder} folder={view.folder} />}
      {view.name === 'comparison' && <ComparisonView key={view.folders.join('\n')} folders={view.folders} />}
      <UndoToasts />
      <SessionsSheets />
    </>
  );
}
