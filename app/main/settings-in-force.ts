import { type Problem, toProblem } from '../protocol/errors';
import { hasNdiNetwork, settingsEnvironment } from '../protocol/machine-settings';
import { ndiConfigurationVariable } from '../protocol/ndi-configuration';
import { addressesOf, networkCards } from '../protocol/network-cards';
import { logoDataUrl } from '../protocol/report-logo';
import { parseSettingsChange, type Settings, type SettingsView } from '../protocol/settings';
import { engineEnvironment } from '../protocol/shell';
import { writeNdiConfiguration } from './ndi-configuration';
import type { SettingsFile } from './settings';

export interface SettingsInForceOptions {
  file: SettingsFile;
  /** Where runs are written unless something else is set. */
  usualRunsFolder: string;
  /** For NDI's configuration. */
  ndiFolder: string;
  environment: NodeJS.ProcessEnv;
}

/** By whom these are set for one start of Whiteline; a user who does wants that and no setting. */
const variables: Partial<Record<keyof Settings, string>> = {
  ndiPath: engineEnvironment.ndiPath,
  searchHosts: engineEnvironment.searchHosts,
  thresholds: engineEnvironment.thresholds,
  runsFolder: engineEnvironment.runsFolder,
  nmosNode: engineEnvironment.nmosNode,
  nmosRegistry: engineEnvironment.nmosRegistry,
  nmosHost: engineEnvironment.nmosHost,
  nmosPort: engineEnvironment.nmosPort,
  nmosReceivers: engineEnvironment.nmosReceivers,
};

/** The settings, what of them is in force, and what the engine has been given. */
export class SettingsInForce {
  private readonly listeners = new Set<() => void>();
  /** As the engine was started. */
  private reported: string;
  private ndiProblem: Problem | null = null;

  constructor(private readonly options: SettingsInForceOptions) {
    this.reported = this.reportedNow();
  }

  get settings(): Settings {
    return this.options.file.settings;
  }

  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  runsFolder(): string {
    const { environment, usualRunsFolder } = this.options;
    return environment[engineEnvironment.runsFolder] || (this.settings.runsFolder ?? usualRunsFolder);
  }

  view(): SettingsView {
    const { file, environment } = this.options;
    const overridden = Object.entries(variables).filter(([, variable]) => environment[variable]);
    return {
      settings: this.settings,
      file: file.path,
      problem: file.problem ?? this.ndiProblem,
      runsFolder: this.runsFolder(),
      networkCards: networkCards(),
      overriddenBy: Object.fromEntries(overridden),
      isRestartNeeded: this.reported !== this.reportedNow(),
    };
  }

  /** What a window asks for; null once it is kept. */
  changeByWindow(given: unknown): Problem | null {
    return this.problemOf(() => this.options.file.change(parseSettingsChange(given)));
  }

  /** What main's own dialogs gave; null once it is kept. */
  change(change: Partial<Settings>): Problem | null {
    return this.problemOf(() => {
      // A logo that no report can show is refused when it is chosen, and not at the first report.
      if (change.reportLogo) logoDataUrl(change.reportLogo);
      this.options.file.change(change);
    });
  }

  /** With what the engine and its stream hosts are to start now. */
  startEnvironment(): NodeJS.ProcessEnv {
    const { environment, usualRunsFolder } = this.options;
    this.reported = this.reportedNow();
    const started = {
      ...environment,
      ...settingsEnvironment(this.settings, usualRunsFolder, environment),
      ...this.ndiConfiguration(),
    };
    this.report();
    return started;
  }

  /** The machine's own, unless something of it is set. */
  private ndiConfiguration(): NodeJS.ProcessEnv {
    const { environment, ndiFolder } = this.options;
    const { discoveryServers, ndiGroups: groups } = this.settings;
    this.ndiProblem = null;
    if (!hasNdiNetwork(this.settings)) return {};
    const addresses = this.ndiAddresses();
    try {
      writeNdiConfiguration(ndiFolder, { discoveryServers, groups, addresses }, environment);
      return { [ndiConfigurationVariable]: ndiFolder };
    } catch (error) {
      this.ndiProblem = {
        code: 'OUTPUT_UNWRITABLE',
        message: `NDI was not given its settings: ${toProblem(error).message}`,
        remedy: `Give ${ndiFolder} the right to be written and free some space, then restart the engine`,
      };
      return {};
    }
  }

  /** Addresses of the chosen network card. Empty if the card is absent: NDI then uses all cards. */
  private ndiAddresses(): string[] {
    const { networkInterface } = this.settings;
    if (networkInterface === null) return [];
    try {
      return addressesOf(networkInterface, 'networkInterface');
    } catch (error) {
      this.ndiProblem = toProblem(error);
      return [];
    }
  }

  private problemOf(change: () => void): Problem | null {
    try {
      change();
    } catch (error) {
      return toProblem(error);
    }
    this.report();
    return null;
  }

  /** All that reaches the engine by its environment alone. */
  private reportedNow(): string {
    const {
      keepDeletedDays: _days,
      theme: _theme,
      networkUnit: _networkUnit,
      windowScalePercent: _windowScalePercent,
      presets: _presets,
      reportProject: _project,
      reportOperator: _operator,
      reportClient: _client,
      reportLogo: _logo,
      reportPaper: _paper,
      ...ofEngine
    } = this.settings;
    return JSON.stringify(ofEngine);
  }

  private report(): void {
    for (const listener of this.listeners) listener();
  }
}
