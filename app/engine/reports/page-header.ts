import { join } from 'node:path';
import type { Run, RunHeader } from '../../facts/run';
import type { PageHeader } from '../../protocol/report';
import type { ReportHeader } from '../../protocol/report-header';
import { dataUrlOf, mostLogoBytes, readLogo } from '../../protocol/report-logo';
import { writeNewFile } from '../sessions/new-file';
import { readPicture } from '../sessions/recorded-picture';

/** A run whose head a report has, and where it lies. */
export interface HeadedRun {
  folder: string;
  run: Pick<Run, 'header'>;
}

type Line = 'project' | 'client' | 'operator';

/**
 * The head of a page: what was typed for this page, otherwise what its runs recorded, otherwise what is set.
 * @throws WhitelineError BAD_INPUT where a logo that was typed or set is no picture that can be read
 */
export function pageHeader(
  set: ReportHeader,
  typed: Partial<ReportHeader> = {},
  runs: readonly HeadedRun[] = [],
): PageHeader {
  const line = (name: Line): string => typed[name] ?? (recordedLine(runs, name) || set[name]);
  const chosen = typed.logo ?? null;
  const recorded = chosen === null ? recordedLogo(runs) : null;
  const path = chosen ?? set.logo;
  return {
    ...{ project: line('project'), operator: line('operator'), client: line('client') },
    paper: typed.paper ?? set.paper,
    logoDataUrl: recorded ?? (path === null ? null : dataUrlOf(readLogo(path))),
  };
}

/** Of several runs all that they say, each once. */
function recordedLine(runs: readonly HeadedRun[], name: Line): string {
  return [...new Set(runs.map(({ run }) => run.header?.[name]).filter(Boolean))].join(', ');
}

/** The first that is still there: a report is written without a file that its run has lost. */
function recordedLogo(runs: readonly HeadedRun[]): string | null {
  for (const { folder, run } of runs) {
    const picture =
      run.header?.logo === undefined ? null : readPicture(folder, run.header.logo, mostLogoBytes);
    if (picture !== null && typeof picture !== 'string') return dataUrlOf(picture);
  }
  return null;
}

/** What a run that begins records of what was typed. */
export interface NewRunHeader {
  /** Absent: nothing was typed. */
  header?: RunHeader;
  /** Puts the logo into the folder of the run. @throws WhitelineError OUTPUT_UNWRITABLE, DISK_FULL */
  keepLogo(folder: string): void;
}

/** @throws WhitelineError BAD_INPUT where the logo is no picture that can be read */
export function newRunHeader({ logo, project, client, operator }: Partial<ReportHeader>): NewRunHeader {
  const picture = logo ? readLogo(logo) : null;
  const file = picture && `logo${picture.kind.extension}`;
  const header: RunHeader = {
    ...(project !== undefined && { project }),
    ...(operator !== undefined && { operator }),
    ...(client !== undefined && { client }),
    ...(file && { logo: file }),
  };
  return {
    header: Object.keys(header).length > 0 ? header : undefined,
    keepLogo: (folder) => {
      if (picture && file) writeNewFile(join(folder, file), picture.bytes, 'keep');
    },
  };
}
