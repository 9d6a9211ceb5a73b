import { useEffect, useRef, useState } from 'react';
import type { Run } from '../../app/facts/run';
import { type Verdict, verdicts } from '../../app/facts/verdict';
import type { RunList } from '../../app/protocol/archive';
import { Button } from '../shell/button';
import { Choice } from '../shell/choice';
import { texts } from '../texts';
import styles from './history-filters.module.css';
import { experimentTitle } from './run-texts';
import { useScreenKeys } from './screen-keys';
import { noFilter, setFilter, useSessions } from './sessions-store';

const { sessions } = texts;
const any = 'any';
const verdictOptions: [Verdict | typeof any, string][] = [
  [any, sessions.anyVerdict],
  ...verdicts.map((verdict): [Verdict, string] => [verdict, verdict]),
];
const stateOptions = Object.entries(sessions.states) as [Run['state'], string][];
/** A year has four figures. */
const [firstDay, lastDay] = ['1970-01-01', '9998-12-31'];
/** Long enough that a word is not looked for letter by letter. */
const typingPauseMs = 200;

/** What a run must be like to be listed. */
export function HistoryFilters({ experiments, hosts }: Pick<RunList, 'experiments' | 'hosts'>) {
  const filter = useSessions((state) => state.filter);
  return (
    <div className={styles.filters}>
      <SearchField />
      <Selected
        label={sessions.experiment}
        any={sessions.anyExperiment}
        options={known(experiments, filter.experiment).map((id) => [id, experimentTitle(id)])}
        value={filter.experiment}
        onChange={(experiment) => setFilter({ experiment })}
      />
      <div className={styles.field}>
        <span className={styles.label} aria-hidden="true">
          {sessions.verdict}
        </span>
        <div className={styles.verdicts}>
          <Choice
            label={sessions.verdict}
            options={verdictOptions}
            value={filter.verdict ?? any}
            onChange={(chosen) => setFilter({ verdict: chosen === any ? null : chosen })}
          />
        </div>
      </div>
      <Selected
        label={sessions.state}
        any={sessions.anyState}
        options={stateOptions}
        value={filter.state}
        onChange={(state) => setFilter({ state })}
      />
      <Selected
        label={sessions.host}
        any={sessions.anyHost}
        options={known(hosts, filter.host).map((host) => [host, host])}
        value={filter.host}
        onChange={(host) => setFilter({ host })}
      />
      <Day
        label={sessions.from}
        value={filter.from}
        latest={filter.until}
        onChange={(from) => setFilter({ from })}
      />
      <Day
        label={sessions.until}
        value={filter.until}
        earliest={filter.from}
        onChange={(until) => setFilter({ until })}
      />
      {Object.values(filter).some((value) => value !== null && value !== '') && (
        <Button size="small" onPress={() => setFilter(noFilter)}>
          {sessions.clear}
        </Button>
      )}
    </div>
  );
}

interface SelectedProps<Value extends string> {
  label: string;
  /** What no choice is called. */
  any: string;
  options: readonly (readonly [value: Value, name: string])[];
  value: Value | null;
  onChange: (value: Value | null) => void;
}

function Selected<Value extends string>({
  label,
  any: none,
  options,
  value,
  onChange,
}: SelectedProps<Value>) {
  return (
    <label className={styles.field}>
      <span className={styles.label}>{label}</span>
      <select
        className={styles.input}
        value={value ?? ''}
        onChange={({ target }) => onChange(options.find(([option]) => option === target.value)?.[0] ?? null)}
      >
        <option value="">{none}</option>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface DayProps {
  label: string;
  value: string | null;
  earliest?: string | null;
  latest?: string | null;
  onChange: (day: string | null) => void;
}

function Day({ label, value, earliest, latest, onChange }: DayProps) {
  return (
    <label className={styles.field}>
      <span className={styles.label}>{label}</span>
      <input
        type="date"
        className={styles.input}
        value={value ?? ''}
        min={earliest ?? firstDay}
        max={latest ?? lastDay}
        onChange={({ target }) => onChange(target.value || null)}
      />
    </label>
  );
}

function SearchField() {
  const asked = useSessions((state) => state.filter.text);
  const [typed, setTyped] = useState(asked);
  const [askedBefore, setAskedBefore] = useState(asked);
  // Not in an effect: the timer below would start once more for what was typed before the filters were cleared.
  if (asked !== askedBefore) {
    setAskedBefore(asked);
    setTyped(asked);
  }
  const field = useRef<HTMLInputElement>(null);
  useScreenKeys({ '/': () => field.current?.select() });

  useEffect(() => {
    if (typed === asked) return;
    const timer = setTimeout(() => setFilter({ text: typed }), typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed, asked]);

  return (
    <label className={styles.search}>
      <span className={styles.label}>{sessions.search}</span>
      <input
        ref={field}
        type="search"
        className={styles.input}
        value={typed}
        placeholder={sessions.searchHint}
        spellCheck={false}
        maxLength={500}
        aria-keyshortcuts="/"
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === 'ArrowDown') {
            event.preventDefault();
            setFilter({ text: typed });
            document.querySelector<HTMLElement>('[data-run][tabindex="0"]')?.focus();
          }
        }}
      />
    </label>
  );
}

/** The chosen one stays to be seen while the list is read. */
function known(experiments: readonly string[], chosen: string | null): readonly string[] {
  return chosen === null || experiments.includes(chosen) ? experiments : [chosen, ...experiments];
}
