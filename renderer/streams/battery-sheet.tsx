import { useEffect, useState } from 'react';
import type { BatteryClip, BatteryFile } from '../../app/protocol/content-battery';
import { type Problem, problemText } from '../../app/protocol/errors';
import { presetRates, presetSizes } from '../../app/protocol/format';
import { command } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { playClip, useSettings } from '../engine/source-settings';
import { figure } from '../format';
import { Button } from '../shell/button';
import { Dialog } from '../shell/dialog';
import { closeSheet } from '../shell/open-sheet';
import { texts } from '../texts';
import styles from './battery-sheet.module.css';
import { ClipMaking } from './clip-making';

const words = texts.picker.battery;

/** The clips of the content battery: what each is for, what was made of it here, and the making of the others. */
export function BatterySheet() {
  const battery = useConsole((view) => view.battery);
  const format = useSettings((settings) => settings.format.trim());
  const isBusy = useConsole(({ engine }) => engine?.mode !== 'idle');
  const [problem, setProblem] = useState<Problem | null>(null);

  async function look(): Promise<void> {
    const { result, problem } = await command({ name: 'listBattery' });
    if (result) useConsole.setState({ battery: result });
    setProblem(problem);
  }

  async function make(clip: string, format: string): Promise<void> {
    setProblem(null);
    const refused = await command({ name: 'makeClip', clip, format });
    await look();
    if (refused.problem) setProblem(refused.problem);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens.
  useEffect(() => void look(), []);

  return (
    <Dialog title={words.title} isWide onClose={closeSheet}>
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
      {battery ? (
        <>
          <ul className={styles.clips} data-testid="battery">
            {battery.clips.map((clip) => (
              <Clip key={clip.name} clip={clip} onMake={(format) => void make(clip.name, format)} />
            ))}
          </ul>
          <div className={styles.foot}>
            <p className={styles.soft}>
              {words.folder(battery.folder)} {isBusy && words.isBusy} {words.inTerminal}{' '}
              <code className={styles.command}>{commandFor(format)}</code>
            </p>
            <Button size="small" onPress={() => void look()}>
              {words.checkAgain}
            </Button>
          </div>
        </>
      ) : (
        !problem && <p className={styles.soft}>{words.loading}</p>
      )}
    </Dialog>
  );
}

function Clip({ clip, onMake }: { clip: BatteryClip; onMake: (format: string) => void }) {
  const format = useSettings((settings) => settings.format.trim());
  const making = useConsole((view) => view.engine?.making ?? null);
  const isIdle = useConsole(({ engine }) => engine?.mode === 'idle');
  const hindrance = making ? texts.hindrances.making : isIdle ? null : words.isBusy;
  const { name, stresses, files } = clip;
  const shown = format.replace('x', '×');
  return (
    <li className={styles.clip} data-clip={name}>
      <div>
        <b>{name}</b>
        <p className={styles.soft}>{stresses}</p>
      </div>
      <div className={styles.files}>
        {files.map((file) => (
          <File key={file.path} {...{ name, file }} />
        ))}
        {files.length === 0 && making?.clip !== name && <p className={styles.notMade}>{words.notMade}</p>}
        {making?.clip === name ? (
          <ClipMaking progress={making} />
        ) : (
          !files.some((file) => file.format === format) && (
            <Button
              size="small"
              label={words.makeThis(name, shown)}
              hindrance={hindrance}
              onPress={() => onMake(format)}
            >
              {words.make(shown)}
            </Button>
          )
        )}
      </div>
    </li>
  );
}

function File({ name, file }: { name: string; file: BatteryFile }) {
  const { format, seconds, variant, chunks, bytes } = file;
  const shown = format.replace('x', '×');
  return (
    <button
      type="button"
      className={styles.file}
      aria-label={words.play(name, shown, seconds)}
      onClick={() => {
        playClip({ name, ...file });
        closeSheet();
      }}
    >
      <b>{words.file(shown, seconds)}</b>
      <span className={styles.soft}>{words.fileHelp(variant, chunks, figure(bytes / 1e6))}</span>
    </button>
  );
}

/** In the format that is set, where it is one. */
function commandFor(format: string): string {
  const [, size = presetSizes[0], rate = presetRates[0]] = /^(\d+x\d+)@([\d./]+)$/.exec(format) ?? [];
  return words.command(size, rate);
}
