import { join } from 'node:path';
import type { ConsoleFleet } from '../engine/host-application';
import { NodeApplication } from '../engine/node-application';
import type { FileGrants } from '../protocol/file-grants';
import { fileName } from '../protocol/file-name';
import { appFolder } from './app-folder';
import { runsFolder, setReportHeader } from './settings';

export { appFolder };

/** A bundle of the app that runs in a separate process. */
export function bundle(name: string): string {
  return join(appFolder, 'dist', 'app', name);
}

/**
 * @param grants of files that windows may name
 * @param fleet whose machines streams may run on
 * @param reportHeader of its reports; default: as the settings say
 */
export function nodeApplication(
  grants?: FileGrants,
  fleet?: ConsoleFleet,
  reportHeader = () => setReportHeader(appFolder),
): NodeApplication {
  return new NodeApplication({
    ...{ grants, fleet },
    streamHostFile: bundle('streamhost.cjs'),
    reportTemplate: join(appFolder, 'dist', 'report', 'index.html'),
    appFolder,
    reportHeader,
  });
}

/** Path of libndi from the settings; on the command line, an environment variable. */
export function ndiPath(): string | undefined {
  return process.env.WHITELINE_NDI_PATH || undefined;
}

/** For what is recorded: among all runs, or in a session's folder, named by the time and by what is run. */
export function newFolder(name: string, parent = runsFolder()): string {
  return join(
    parent,
    [new Date().toISOString().replace(/[:.]/g, '-'), fileName(name)].filter(Boolean).join('-'),
  );
}
