import { join } from 'node:path';
import { dateNow } from '../engine/clock';
import { pinBaseline, unpinBaseline } from '../engine/history/baseline';
import { exportGroup, exportRun, handedTo } from '../engine/reports/export';
import { exportName } from '../engine/reports/export-name';
import type { HeadedRun } from '../engine/reports/page-header';
import { sessionGroup } from '../engine/reports/run-group';
import { annotateRun, pictureEvent, type Remark, remarkEvent } from '../engine/sessions/notes';
import { holdsRun, runFiles } from '../engine/sessions/read-run';
import { factsOf } from '../engine/sessions/run-facts';
import type { ArchiveCommands, ArchivedRun, ArchiveResult, ReportedGroup } from '../protocol/archive';
import type { Clock } from '../protocol/clock';
import { type GrantedFile, grantedPath } from '../protocol/granted-file';
import type { ExportKind } from '../protocol/shell';
import type { Handlers } from '../rpc/serve-commands';
import type { ArchiveApplication } from './archive-application';
import { deleteRun, eraseRun, listDeleted, restoreRun } from './deleted-runs';
import { importRuns } from './import-runs';
import { listRuns } from './list-runs';
import { namedRun, namedSession, readArchivedRun } from './named-run';
import { newestPreflights } from './newest-preflights';
import { openComparison, openEvents, openRun, openSession, reportedGroup } from './open-runs';

const reportFile = 'report.html';

/** The recorded runs below one folder: everything that can be done with a run once it is recorded. */
export class Archive {
  readonly commands: Handlers<ArchiveCommands> = {
    listRuns: (asked) => listRuns(this.root, asked),
    openRun: ({ run }) => openRun(this.root, run),
    listEvents: ({ run, offset, limit }) => openEvents(this.root, run, offset, limit),
    compareRuns: ({ runs }) => openComparison(this.root, runs),
    renameRun: ({ run, title }) => this.annotate(run, { kind: 'renamed', text: title }),
    addNote: ({ run, kind, text }) => this.annotate(run, { kind, text }),
    attachPicture: ({ run, text }) => this.attachPicture(run, text),
    pinBaseline: ({ run }) => this.pinBaseline(run),
    unpinBaseline: ({ experiment }) => {
      unpinBaseline(this.root, experiment);
      return null;
    },
    deleteRun: ({ run }) => deleteRun(this.root, run, dateNow(this.clock)),
    listPreflights: () => newestPreflights(this.root),
    listDeleted: () => listDeleted(this.root),
    restoreRun: ({ deletion }) => readArchivedRun(this.root, restoreRun(this.root, deletion)),
    eraseRun: ({ deletion }) => {
      eraseRun(this.root, deletion);
      return null;
    },
    importRuns: ({ grant }) => this.importRuns(grant),
    exportRun: ({ run, kind }) => this.exportRun(run, kind),
    openReport: ({ run }) => this.openReport(run),
    openSession: ({ session }) => openSession(this.root, session),
    exportGroup: ({ group, kind }) => this.exportGroup(group, kind),
    openSessionReport: ({ session }) => this.openSessionReport(session),
    openFolder: async ({ run }) => {
      await this.application.show(join(namedRun(this.root, run).path, runFiles.events));
      return null;
    },
  };

  constructor(
    private readonly root: string,
    private readonly application: ArchiveApplication,
    private readonly clock: Pick<Clock, 'wallMs'>,
  ) {}

  private annotate(name: string, remark: Remark): ArchivedRun {
    const { folder, path } = namedRun(this.root, name);
    annotateRun(path, [remarkEvent(remark, dateNow(this.clock))]);
    return readArchivedRun(this.root, folder);
  }

  private async attachPicture(name: string, text: string): Promise<ArchivedRun | null> {
    const { folder, path } = namedRun(this.root, name);
    const picture = await this.application.choosePicture();
    if (picture === null) return null;
    annotateRun(path, [pictureEvent(path, picture, text, dateNow(this.clock))]);
    return readArchivedRun(this.root, folder);
  }

  private pinBaseline(name: string): ArchivedRun {
    const { folder, path } = namedRun(this.root, name);
    pinBaseline(this.root, path);
    return readArchivedRun(this.root, folder);
  }

  private async importRuns(grant: string | undefined): Promise<ArchiveResult<'importRuns'>> {
    const source =
      grant === undefined
        ? await this.application.chooseImport()
        : grantedPath('import', await this.application.redeemGrant('import', grant));
    if (source === null) return null;
    const { folders, unreadableLines } = await importRuns(this.root, source);
    return { runs: folders.map((folder) => readArchivedRun(this.root, folder)), unreadableLines };
  }

  private async exportRun(name: string, kind: ExportKind): Promise<GrantedFile | null> {
    const { folder, path } = namedRun(this.root, name);
    const header = await handedTo([headed(path)], this.application);
    const suggested = exportName({ ...header, ...readArchivedRun(this.root, folder) });
    const target = await this.application.chooseExport(kind, suggested);
    if (target === null) return null;
    // The dialog that named it asked before.
    await exportRun(path, kind, target.path, this.application, { existing: 'replace' });
    return target;
  }

  private async openReport(name: string): Promise<GrantedFile | null> {
    const { path } = namedRun(this.root, name);
    const file = join(path, reportFile);
    await exportRun(path, 'html', file, this.application, { existing: 'replace' });
    return this.application.open(file);
  }

  private async exportGroup(asked: ReportedGroup, kind: ExportKind): Promise<ArchiveResult<'exportGroup'>> {
    const group = reportedGroup(this.root, asked);
    const { name, startedAt } = group.session;
    const header = await handedTo(group.folders.filter(holdsRun).map(headed), this.application);
    const suggested = exportName({ ...header, hosts: [], experiment: name, startedAt });
    const target = await this.application.chooseExport(kind, suggested);
    if (target === null) return null;
    const problems = await exportGroup(group, kind, target.path, this.application, 'replace');
    return { ...target, problems };
  }

  private async openSessionReport(name: string): Promise<GrantedFile | null> {
    const path = namedSession(this.root, name);
    const file = join(path, reportFile);
    await exportGroup(sessionGroup(path), 'html', file, this.application, 'replace');
    return this.application.open(file);
  }
}

/** Of a run's events alone: it may have many rows. */
function headed(folder: string): HeadedRun {
  return { folder, run: factsOf(folder, false).facts };
}
