import type { ReactNode } from 'react';
import { type Settings, windowScalesPercent } from '../../app/protocol/settings';
import { Choice } from '../shell/choice';
import { ScrollRoom } from '../shell/scroll-room';
import { texts } from '../texts';
import { DeletedSetting } from './deleted-setting';
import { ListSetting } from './list-setting';
import { NdiInUse } from './ndi-in-use';
import { NetworkCardSetting } from './network-card-setting';
import { networkUnits } from './network-unit';
import { NmosNodeSetting } from './nmos-node-setting';
import { PathSetting } from './path-setting';
import { ReportSettings } from './report-settings';
import { RestartNotice } from './restart-notice';
import { SettingRow } from './setting-row';
import styles from './settings-screen.module.css';
import { changeSettings, useMachineSettings } from './settings-store';
import { ThresholdsSetting } from './thresholds-setting';

const scales = windowScalesPercent.map(
  (percent) => [String(percent), texts.settings.windowScalePercent.option(percent)] as const,
);
const themes = Object.entries(texts.settings.theme.options) as [Settings['theme'], string][];

/** What is set once for this machine. */
export function SettingsScreen() {
  const view = useMachineSettings((state) => state.view);
  if (!view) return <p className={styles.loading}>{texts.settings.loading}</p>;
  const { settings, file, runsFolder, isRestartNeeded } = view;
  return (
    <ScrollRoom className={styles.screen} label={texts.settings.title}>
      <div className={styles.column}>
        <RestartNotice isNeeded={isRestartNeeded} />
        <Group title={texts.settings.groups.ndi}>
          <PathSetting
            name="ndiPath"
            shown={settings.ndiPath ?? texts.settings.ndiPath.usual}
            isChosen={settings.ndiPath !== null}
          >
            <NdiInUse />
          </PathSetting>
          <ListSetting name="discoveryServers" kept={settings.discoveryServers} />
          <ListSetting name="searchHosts" kept={settings.searchHosts} />
          <ListSetting name="ndiGroups" kept={settings.ndiGroups} />
          <NetworkCardSetting kept={settings.networkInterface} cards={view.networkCards} />
        </Group>
        <Group title={texts.settings.groups.judging}>
          <ThresholdsSetting kept={settings.thresholds} />
        </Group>
        <Group title={texts.settings.groups.files}>
          <PathSetting name="runsFolder" shown={runsFolder} isChosen={settings.runsFolder !== null} />
          <DeletedSetting kept={settings.keepDeletedDays} />
        </Group>
        <Group title={texts.settings.groups.reports}>
          <ReportSettings settings={settings} />
        </Group>
        <Group title={texts.settings.groups.nmos}>
          <NmosNodeSetting settings={settings} isRestartNeeded={isRestartNeeded} />
        </Group>
        <Group title={texts.settings.groups.window}>
          <SettingRow name="theme">
            <div className={styles.choice}>
              <Choice
                label={texts.settings.theme.label}
                options={themes}
                value={settings.theme}
                columns={themes.length}
                onChange={(theme) => void changeSettings({ theme })}
              />
            </div>
          </SettingRow>
          <SettingRow name="networkUnit">
            <div className={styles.choice}>
              <Choice
                label={texts.settings.networkUnit.label}
                options={networkUnits.map((unit) => [unit, unit] as const)}
                value={settings.networkUnit}
                columns={networkUnits.length}
                onChange={(networkUnit) => void changeSettings({ networkUnit })}
              />
            </div>
          </SettingRow>
          <SettingRow name="windowScalePercent">
            <div className={styles.choice}>
              <Choice
                label={texts.settings.windowScalePercent.label}
                options={scales}
                value={String(settings.windowScalePercent)}
                columns={scales.length / 2}
                onChange={(percent) => {
                  const windowScalePercent = windowScalesPercent.find((scale) => String(scale) === percent);
                  if (windowScalePercent) void changeSettings({ windowScalePercent });
                }}
              />
            </div>
          </SettingRow>
        </Group>
        <p className={styles.hint}>{texts.settings.keptIn(file)}</p>
      </div>
    </ScrollRoom>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  );
}
