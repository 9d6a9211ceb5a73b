import type { Command } from 'commander';
import type { ReportTools } from '../engine/reports/export';
import { type NewRunHeader, newRunHeader, pageHeader } from '../engine/reports/page-header';
import { badInput } from '../protocol/errors';
import { expectedOfReportHeader, type ReportHeader, reportHeaderSchema } from '../protocol/report-header';
import { appFolder, nodeApplication } from './folders';
import { setReportHeader } from './settings';

/** What stands at the head of a report, where it is not to be what the settings say. */
export type HeaderFlags = Partial<Record<'project' | 'operator' | 'client' | 'logo', string>>;

/** The same of a command that writes a report. */
export interface ReportFlags extends HeaderFlags {
  paper?: string;
}

const headerFlags: readonly [flag: string, help: string][] = [
  ['--project <text>', 'project, at the head of the report; default: the one in the settings'],
  ['--operator <text>', 'who tested, at the head of the report; default: the one in the settings'],
  ['--client <text>', 'whom the report is for; default: the one in the settings'],
  [
    '--logo <file>',
    'picture at the head of the report (PNG, JPEG or WebP); default: the one in the settings',
  ],
];

/** Of a command that records a run, of which a report may be made later. */
export function addHeaderFlags(command: Command): Command {
  for (const flag of headerFlags) command.option(...flag);
  return command;
}

/** Of a command that writes a report. */
export function addReportFlags(command: Command): Command {
  return addHeaderFlags(command).option(
    '--paper <size>',
    'paper of the report: a4 or letter; default: the one in the settings',
  );
}

/** What a report needs, with its head as the flags say. */
export function reportTools(typed: ReportFlags): ReportTools {
  const application = nodeApplication();
  return {
    reportTemplate: application.reportTemplate,
    printPage: (...files) => application.printPage(...files),
    reportHeader: () => application.reportHeader(),
    typedHeader: headerOf(typed),
  };
}

/**
 * Before something long is run, whose report would be refused.
 * @throws WhitelineError BAD_INPUT for a flag that no report can have; of a report that is to be written, for the settings too
 */
export function checkHeader(typed: ReportFlags, isReported: boolean): void {
  if (isReported) pageHeader(setReportHeader(appFolder), headerOf(typed));
  else newRunHeader(headerOf(typed));
}

/**
 * What a run records of its head.
 * @param folder of the run; undefined: it is not recorded
 * @throws WhitelineError BAD_INPUT for a flag that no report can have, and for any where the run is not recorded
 */
export function recordedHeader(typed: HeaderFlags, folder: string | undefined): NewRunHeader {
  const recorded = newRunHeader(headerOf(typed));
  const [first] = Object.keys(recorded.header ?? {});
  if (first !== undefined && folder === undefined)
    throw badInput(first, 'a folder to write to', undefined, 'Give one with --out or --session');
  return recorded;
}

/** As the flags say, and the settings where they say nothing. @throws WhitelineError BAD_INPUT for a flag that no report can have */
export function wholeHeader(typed: ReportFlags): ReportHeader {
  return { ...setReportHeader(appFolder), ...headerOf(typed) };
}

function headerOf(typed: ReportFlags): Partial<ReportHeader> {
  const header: Partial<ReportHeader> = {};
  for (const name of reportHeaderSchema.keyof().options) {
    const value = typed[name];
    if (value === undefined) continue;
    const parsed = reportHeaderSchema.shape[name].safeParse(value);
    if (!parsed.success) throw badInput(name, expectedOfReportHeader[name], value);
    Object.assign(header, { [name]: parsed.data });
  }
  return header;
}
