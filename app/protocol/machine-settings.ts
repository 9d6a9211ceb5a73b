import { join } from 'node:path';
import type { ReportHeader } from './report-header';
import type { Settings } from './settings';
import { engineEnvironment } from './shell';

/** What the console and the command line both know of this machine's settings, each by its own way to the folders. */

export function settingsFileIn(userData: string): string {
  return join(userData, 'settings.json');
}

/** Of NDI's configuration, where something of it is set. */
export function ndiFolderIn(userData: string): string {
  return join(userData, 'ndi');
}

/** Whether NDI is to have anything but the machine's own configuration. */
export function hasNdiNetwork({ discoveryServers, ndiGroups, networkInterface }: Settings): boolean {
  return discoveryServers.length > 0 || ndiGroups.length > 0 || networkInterface !== null;
}

/** Of the fleet that this user has set up: its keys and secrets. */
export function fleetFolderIn(userData: string): string {
  return join(userData, 'fleet');
}

/** Where runs are written unless something else is set. */
export function usualRunsFolderIn(documents: string): string {
  return join(documents, 'Whiteline', 'runs');
}

/** What stands at the head of reports. */
export function reportHeaderOf(settings: Settings): ReportHeader {
  return {
    project: settings.reportProject,
    operator: settings.reportOperator,
    client: settings.reportClient,
    logo: settings.reportLogo,
    paper: settings.reportPaper,
  };
}

/** The settings as an engine takes them; a variable that is set already overrides its setting. */
export function settingsEnvironment(
  settings: Settings,
  usualRunsFolder: string,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const { ndiPath, searchHosts, thresholds, runsFolder } = settings;
  const of = (variable: string, setting: string): Record<string, string> => ({
    [variable]: environment[variable] || setting,
  });
  return {
    ...of(engineEnvironment.ndiPath, ndiPath ?? ''),
    ...of(engineEnvironment.searchHosts, searchHosts.join(',')),
    ...of(engineEnvironment.thresholds, typeof thresholds === 'string' ? thresholds : thresholds.file),
    ...of(engineEnvironment.runsFolder, runsFolder ?? usualRunsFolder),
    ...of(engineEnvironment.nmosNode, settings.nmosNode ? 'on' : 'off'),
    ...of(engineEnvironment.nmosRegistry, settings.nmosRegistry ?? ''),
    ...of(engineEnvironment.nmosHost, settings.nmosHost),
    ...of(engineEnvironment.nmosPort, String(settings.nmosPort)),
    ...of(engineEnvironment.nmosReceivers, String(settings.nmosReceivers)),
  };
}
