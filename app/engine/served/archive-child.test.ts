import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileGrants } from '../../protocol/file-grants';
import { noReportHeader } from '../../protocol/report-header';
import { temporaryFolder } from '../../testing/temporary-folder';
import { ArchiveChild } from './archive-child';
import { ChildViews, type ViewPort } from './child-views';
import { ExportFolder } from './export-folder';

/** A page's port, and when it is closed from this side. */
function pagePort(): { port: ViewPort; closed: Promise<void> } {
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  return {
    port: { post: () => undefined, onMessage: () => undefined, onClose: () => undefined, close },
    closed,
  };
}

test('a page is not left waiting for a child that the system did not start', async () => {
  const program = join(temporaryFolder(), 'absent');
  const child = spawn(program, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const { port, closed } = pagePort();
  new ChildViews(child).connect('window-port', port);
  await expect(closed).resolves.toBeUndefined();
});

test('an archive that cannot even be tried to start costs the page its port, and the server nothing', async () => {
  const folder = temporaryFolder();
  const archive = new ArchiveChild({
    ...{ appFolder: folder, runsFolder: folder, exports: new ExportFolder(folder), grants: new FileGrants() },
    // The system takes no such word, as it may refuse memory for another process.
    archiveFile: 'archive\0.cjs',
    application: { printPage: () => expect.unreachable(), reportHeader: async () => noReportHeader },
  });
  const { port, closed } = pagePort();
  archive.connect(port);
  await expect(closed).resolves.toBeUndefined();
  archive.close();
});
