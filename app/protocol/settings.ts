import { z } from 'zod';
import { badInput, type Problem, type WhitelineError } from './errors';
import { groupOf, mostGroups } from './ndi-groups';
import { hostAndPortOf, hostOf } from './network-address';
import type { NetworkCard } from './network-cards';
import { examplesOfNmosNode, expectedOfNmosNode, nmosNodeFields } from './nmos-node';
import { expectedOfReportHeader, reportHeaderSchema } from './report-header';
import { safeParse } from './safe-parse';
import { mostPresets, sourcePresetSchema } from './source-preset';
import { thresholdProfiles } from './thresholds';

/** What an operator sets once for this machine. A null leaves the choice to Whiteline. */

const builtInProfiles = Object.keys(thresholdProfiles) as [keyof typeof thresholdProfiles];

const path = z.string().min(1).max(4096);
const ofReport = reportHeaderSchema.shape;
const searchHost = z.string().refine(isRead((text) => hostOf(text, 'searchHosts')));
const ndiGroup = z.string().refine(isRead(groupOf));
const discoveryServer = z
  .string()
  .refine(isRead((text) => (/:\d+$/.test(text) ? hostAndPortOf : hostOf)(text, 'discoveryServers')));

function isRead(read: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      read(text);
      return true;
    } catch {
      return false;
    }
  };
}

/** After how many days a deleted run may be erased. */
export const keepDeletedDays = [7, 30, 90, 365] as const;
export const keepDeletedDaysSchema = z.literal(keepDeletedDays).nullable();

/** Scale of everything in the window, on top of the scale that follows from the window's size. */
export const windowScalesPercent = [75, 90, 100, 110, 125, 150, 175, 200] as const;

export const settingsSchema = z.strictObject({
  /** Path of libndi. */
  ndiPath: path.nullable().default(null),
  /** NDI asks these in place of mDNS. */
  discoveryServers: z.array(discoveryServer).max(8).default([]),
  /** Asked for their sources directly, beside mDNS. */
  searchHosts: z.array(searchHost).max(64).default([]),
  /** Groups in which NDI senders are, and are looked for; none: those that NDI has by itself. */
  ndiGroups: z.array(ndiGroup).max(mostGroups).default([]),
  /** Network interface that NDI uses alone; null: all. */
  networkInterface: z.string().min(1).max(64).nullable().default(null),
  /** A built-in profile of thresholds, or a file of one's own. */
  thresholds: z.union([z.enum(builtInProfiles), z.strictObject({ file: path })]).default('study'),
  runsFolder: path.nullable().default(null),
  /** Null: deleted runs are kept until they are erased. */
  keepDeletedDays: keepDeletedDaysSchema.default(30),
  theme: z.enum(['dark', 'light']).default('dark'),
  /** In which the window shows the load of networks now; rows and reports are in Mb/s. */
  networkUnit: z.enum(['Mb/s', 'MB/s']).default('Mb/s'),
  windowScalePercent: z.literal(windowScalesPercent).default(100),
  presets: z.array(sourcePresetSchema).max(mostPresets).default([]),
  /** At the head of reports. */
  reportProject: ofReport.project,
  reportOperator: ofReport.operator,
  reportClient: ofReport.client,
  reportLogo: ofReport.logo,
  reportPaper: ofReport.paper,
  ...nmosNodeFields,
});
export type Settings = z.infer<typeof settingsSchema>;

/** What each field accepts, as error messages say it. */
const expected: Record<keyof Settings, string> = {
  ndiPath: 'the path of libndi, or null',
  discoveryServers: 'up to 8 names or addresses, each with its port or without',
  searchHosts: 'up to 64 names or addresses of machines',
  ndiGroups: `up to ${mostGroups} names of groups`,
  networkInterface: 'the name of a network interface, or null',
  thresholds: `${builtInProfiles.join(', ')} or the path of a file`,
  runsFolder: 'the path of a folder, or null',
  keepDeletedDays: `${keepDeletedDays.join(', ')}, or null`,
  theme: 'dark or light',
  networkUnit: 'Mb/s or MB/s',
  windowScalePercent: windowScalesPercent.join(', '),
  presets: `up to ${mostPresets} presets, each with its name, source and format`,
  reportProject: expectedOfReportHeader.project,
  reportOperator: expectedOfReportHeader.operator,
  reportClient: expectedOfReportHeader.client,
  reportLogo: expectedOfReportHeader.logo,
  reportPaper: expectedOfReportHeader.paper,
  ...expectedOfNmosNode,
};

const examples: Partial<Record<keyof Settings, string>> = {
  discoveryServers: 'For example discovery-pc or 192.0.2.5:5959',
  searchHosts: 'For example stage-pc or 192.0.2.7',
  ndiGroups: 'For example stage or public,stage',
  ...examplesOfNmosNode,
};

/** What a window may change by itself. Paths come out of main's own dialogs; a window can only take them back. */
export const settingsChangeSchema = settingsSchema
  .pick({
    discoveryServers: true,
    searchHosts: true,
    ndiGroups: true,
    networkInterface: true,
    keepDeletedDays: true,
    theme: true,
    networkUnit: true,
    windowScalePercent: true,
    presets: true,
    reportProject: true,
    reportOperator: true,
    reportClient: true,
    reportPaper: true,
    nmosNode: true,
    nmosRegistry: true,
    nmosHost: true,
    nmosPort: true,
    nmosReceivers: true,
  })
  .extend({
    ndiPath: z.null(),
    runsFolder: z.null(),
    reportLogo: z.null(),
    thresholds: z.enum(builtInProfiles),
  })
  .partial();
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

/** Settings that are a path, each with a dialog of its own. */
export const settingsPathSchema = z.enum(['ndiPath', 'runsFolder', 'thresholds', 'reportLogo']);
export type SettingsPath = z.infer<typeof settingsPathSchema>;

export interface SettingsView {
  settings: Settings;
  /** Where they are kept. */
  file: string;
  /** Why they are not those that were kept: the file could not be read. */
  problem: Problem | null;
  /** Where runs are written with these settings. */
  runsFolder: string;
  /** Of this machine now. */
  networkCards: NetworkCard[];
  /** Environment variables that stand above a setting until Whiteline is started without them. */
  overriddenBy: Partial<Record<keyof Settings, string>>;
  /** The engine was started with others. */
  isRestartNeeded: boolean;
}

/** @throws WhitelineError BAD_INPUT with the first field that is wrong */
export function parseSettings(given: unknown): Settings {
  return parseWith(settingsSchema, given);
}

/** @throws WhitelineError BAD_INPUT with the first field that is wrong */
export function parseSettingsChange(given: unknown): SettingsChange {
  const change = parseWith(settingsChangeSchema, given);
  // `partial` keeps the defaults of what was not given, which is not to be changed.
  const names = Object.keys(given as object);
  return Object.fromEntries(Object.entries(change).filter(([name]) => names.includes(name)));
}

function parseWith<Parsed>(schema: z.ZodType<Parsed>, given: unknown): Parsed {
  const result = safeParse(schema, given);
  if (result.success) return result.data;
  throw refusalOf(result.error, given);
}

function refusalOf(error: z.core.$ZodError, given: unknown): WhitelineError {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    return badInput('settings', `one of ${Object.keys(expected).join(', ')}`, issue.keys[0]);
  }
  const [field, index] = issue?.path ?? [];
  if (field === undefined) return badInput('settings', 'names with values', given);
  const name = field as keyof Settings;
  const value = (given as Record<PropertyKey, unknown>)[field];
  const received = index !== undefined && Array.isArray(value) ? value[Number(index)] : value;
  return badInput(name, expected[name], received, examples[name]);
}
