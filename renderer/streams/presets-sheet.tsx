import { type FormEvent, useId, useRef, useState } from 'react';
import { type Problem, problemText } from '../../app/protocol/errors';
import type { SourcePreset } from '../../app/protocol/source-preset';
import { shell } from '../engine/connection';
import { useSettings } from '../engine/source-settings';
import { useMachineSettings } from '../settings/settings-store';
import { Button, SubmitButton } from '../shell/button';
import { Dialog } from '../shell/dialog';
import { closeSheet } from '../shell/open-sheet';
import form from '../shell/text-sheet.module.css';
import { texts } from '../texts';
import { applyPreset, builtInPresets, presetOf, summaryOf, withoutPreset, withPreset } from './presets';
import styles from './presets-sheet.module.css';

const words = texts.picker.presets;

/** Sources with their formats under a name: to choose, to save what is set now, and to delete. */
export function PresetsSheet() {
  const own = useMachineSettings(({ view }) => view?.settings.presets ?? null);
  return (
    <Dialog title={words.title} onClose={closeSheet}>
      <div className={styles.sheet}>
        <section aria-label={words.given}>
          <h3 className={form.label}>{words.given}</h3>
          <ul className={styles.presets}>
            {builtInPresets.map((preset) => (
              <Preset key={preset.name} preset={preset} />
            ))}
          </ul>
        </section>
        {own ? <Own presets={own} /> : <p className={form.label}>{words.notHere}</p>}
      </div>
    </Dialog>
  );
}

/** Those that are kept in the settings. */
function Own({ presets }: { presets: readonly SourcePreset[] }) {
  const settings = useSettings();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [said, setSaid] = useState('');
  const [asksToReplace, setAsksToReplace] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const preset = presetOf(settings, name);
  const isOfOthers = settings.kind === 'movie' && settings.sendOn !== null;
  const isKnown = presets.some((each) => each.name === name.trim());

  async function keep(changed: SourcePreset[], spoken: string): Promise<void> {
    const refusal = await shell.changeSettings({ presets: changed });
    setProblem(refusal);
    if (refusal) return;
    setSaid(spoken);
    // The button that was pressed may be gone.
    field.current?.focus();
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!preset) return;
    if (isKnown && !asksToReplace) {
      setAsksToReplace(true);
      return;
    }
    await keep(withPreset(presets, preset), words.saved(preset.name));
    setName('');
    setAsksToReplace(false);
  }

  return (
    <>
      <section aria-label={words.own}>
        <h3 className={form.label}>{words.own}</h3>
        {presets.length === 0 && <p>{words.none}</p>}
        <ul className={styles.presets} data-testid="own-presets">
          {presets.map((each) => (
            <Preset
              key={each.name}
              preset={each}
              onDelete={() => void keep(withoutPreset(presets, each.name), words.deleted(each.name))}
            />
          ))}
        </ul>
      </section>
      <form className={form.form} onSubmit={(event) => void submit(event)}>
        <label className={form.label} htmlFor={id}>
          {words.name}
        </label>
        <div className={styles.save}>
          <input
            {...{ ref: field, id, value: name, maxLength: 60 }}
            className={form.input}
            autoComplete="off"
            disabled={!preset}
            aria-describedby={`${id}-reported`}
            onChange={({ target }) => {
              setName(target.value);
              setAsksToReplace(false);
            }}
          />
          <SubmitButton isDisabled={!preset || name.trim() === ''}>
            {asksToReplace ? words.replace : texts.actions.save}
          </SubmitButton>
        </div>
        <p className={form.label} id={`${id}-reported`}>
          {preset ? summaryOf(preset) : isOfOthers ? words.notOfOthers : words.nothingSet}
        </p>
        {asksToReplace && (
          <p className={form.problem} role="alert">
            {words.isThere(name.trim())}
          </p>
        )}
        {problem && (
          <p className={form.problem} role="alert">
            {problemText(problem)}
          </p>
        )}
        <p className="visually-hidden" role="status">
          {said}
        </p>
      </form>
    </>
  );
}

function Preset({ preset, onDelete }: { preset: SourcePreset; onDelete?: () => void }) {
  const { name } = preset;
  return (
    <li className={styles.preset}>
      <button
        type="button"
        className={styles.choose}
        aria-label={words.choose(name)}
        onClick={() => {
          applyPreset(preset);
          closeSheet();
        }}
      >
        <b>{name}</b>
        <span className={form.label}>{summaryOf(preset)}</span>
      </button>
      {onDelete && (
        <Button size="small" label={words.deleteThis(name)} onPress={onDelete}>
          {words.delete}
        </Button>
      )}
    </li>
  );
}
