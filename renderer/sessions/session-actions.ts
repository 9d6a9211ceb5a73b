import type { ArchiveCommand, ArchivedRun, DeletedRun, ReportedGroup } from '../../app/protocol/archive';
import type { ExportKind } from '../../app/protocol/shell';
import { useConsole, withAlert } from '../engine/console-store';
import { openWritten, reportWritten } from '../engine/written-file';
import { texts } from '../texts';
import { perform, report } from './archive';
import { showHistory, showRun, useSessions, withoutRun } from './sessions-store';

/** What an operator can do with recorded runs, by button or by key. */

export async function deleteRun(folder: string): Promise<void> {
  const gone = await perform({ name: 'deleteRun', run: folder });
  if (gone) useSessions.setState((state) => withoutRun(state, gone));
}

/** Brings a deleted run back, and to where the keys are. */
export async function restoreRun({ deletion }: DeletedRun): Promise<void> {
  const restored = await perform({ name: 'restoreRun', deletion });
  if (!restored) return;
  dismissDeleted(deletion);
  const { folder, experiment, isBaseline } = restored;
  useSessions.setState(({ baselines }) => ({
    current: folder,
    baselines: isBaseline ? { ...baselines, [experiment]: folder } : baselines,
  }));
}

export async function eraseRun({ deletion }: DeletedRun): Promise<void> {
  if ((await perform({ name: 'eraseRun', deletion })) !== undefined) dismissDeleted(deletion);
}

export function dismissDeleted(deletion: string): void {
  useSessions.setState(({ deleted }) => ({
    deleted: deleted.filter((gone) => gone.deletion !== deletion),
  }));
}

export async function togglePin({ folder, experiment, isBaseline }: ArchivedRun): Promise<void> {
  const done = isBaseline
    ? await perform({ name: 'unpinBaseline', experiment })
    : await perform({ name: 'pinBaseline', run: folder });
  if (done === undefined) return;
  useSessions.setState(({ baselines: { [experiment]: _, ...others } }) => ({
    baselines: isBaseline ? others : { ...others, [experiment]: folder },
  }));
}

export async function attachPicture({ folder }: ArchivedRun): Promise<void> {
  await perform({ name: 'attachPicture', run: folder });
}

export async function exportRun({ folder }: Pick<ArchivedRun, 'folder'>, kind: ExportKind): Promise<void> {
  const written = await perform({ name: 'exportRun', run: folder, kind });
  if (written) reportWritten('archive:exported', texts.sessions.exported(written.path), written);
}

export async function exportGroup(group: ReportedGroup, kind: ExportKind): Promise<void> {
  const written = await perform({ name: 'exportGroup', group, kind });
  if (!written) return;
  const said = texts.sessions.exportedGroup(written.path, written.problems);
  reportWritten('archive:exported', said, written);
}

export async function openSessionReport(session: string): Promise<void> {
  await openWrittenReport({ name: 'openSessionReport', session });
}

export async function openReport({ folder }: ArchivedRun): Promise<void> {
  await openWrittenReport({ name: 'openReport', run: folder });
}

/** The system's browser has it, unless this is a page in one: that opens what it was given. */
export async function openWrittenReport(
  command: ArchiveCommand<'openReport'> | ArchiveCommand<'openSessionReport'>,
): Promise<void> {
  const written = await perform(command);
  if (!written) return;
  const alert = { key: 'archive:report', severity: 'info', message: texts.sessions.reportWritten } as const;
  useConsole.setState((view) => withAlert(view, { ...alert, written }));
  await openWritten(written);
}

export async function openFolder({ folder }: ArchivedRun): Promise<void> {
  await perform({ name: 'openFolder', run: folder });
}

/** @param grant of a folder that was dropped onto the window; without one main asks for a folder */
export async function importRuns(grant?: string): Promise<boolean> {
  const imported = await perform({ name: 'importRuns', grant });
  const [first] = imported?.runs ?? [];
  if (!imported || !first) return false;
  const { runs, unreadableLines } = imported;
  const title = runs.length === 1 ? first.title : texts.sessions.runs(runs.length);
  report('archive:imported', texts.sessions.imported(title, unreadableLines));
  if (runs.length === 1) showRun(first.folder);
  else showHistory();
  return true;
}
