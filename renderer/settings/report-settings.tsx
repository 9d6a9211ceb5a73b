import { papers } from '../../app/protocol/report-header';
import type { Settings } from '../../app/protocol/settings';
import { Choice } from '../shell/choice';
import { texts } from '../texts';
import { PathSetting } from './path-setting';
import { SettingRow } from './setting-row';
import styles from './settings-screen.module.css';
import { changeSettings } from './settings-store';
import { TypedSetting } from './typed-setting';

const { label, options } = texts.settings.reportPaper;
const choices = papers.map((paper) => [paper, options[paper]] as const);

/** What stands at the head of each report, and on which paper. */
export function ReportSettings({ settings }: { settings: Settings }) {
  const { reportProject, reportClient, reportOperator, reportLogo, reportPaper } = settings;
  return (
    <>
      <TypedSetting
        name="reportProject"
        kept={reportProject}
        changeOf={(typed) => ({ reportProject: typed })}
      />
      <TypedSetting name="reportClient" kept={reportClient} changeOf={(typed) => ({ reportClient: typed })} />
      <TypedSetting
        name="reportOperator"
        kept={reportOperator}
        changeOf={(typed) => ({ reportOperator: typed })}
      />
      <PathSetting
        name="reportLogo"
        shown={reportLogo ?? texts.settings.reportLogo.usual}
        isChosen={reportLogo !== null}
      />
      <SettingRow name="reportPaper">
        <div className={styles.choice}>
          <Choice
            label={label}
            options={choices}
            value={reportPaper}
            columns={choices.length}
            onChange={(paper) => void changeSettings({ reportPaper: paper })}
          />
        </div>
      </SettingRow>
    </>
  );
}
