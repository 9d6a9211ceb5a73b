import { type KeyboardEvent, memo, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react';
import type { Verdict } from '../../app/facts/verdict';
import type { MachinePreflight } from '../../app/protocol/archive';
import { type FleetView, type MachineLine, type Moving, nowOf } from '../../app/protocol/fleet/fleet-view';
import { mostMachines } from '../../app/protocol/stream-parameters';
import { figure } from '../format';
import { setUpPreflight } from '../preflight/set-up-preflight';
import { Button } from '../shell/button';
import { Choice } from '../shell/choice';
import { useSeenRows } from '../shell/seen-rows';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { chooseMachine, useFleet, useSilentSeconds } from './fleet-store';
import { machineDrag } from './machine-drag';
import { filtered, hasProblem, type MachineFilter } from './machine-filter';
import styles from './machine-list.module.css';
import { worstText } from './preflight-note';
import { checkable, type Preflights } from './preflights';

const words = texts.fleet;
const filters = Object.entries(words.filters) as [MachineFilter, string][];
const rowRem = 2.2;
/** Of those that a page is at most high. */
const rowsOfPage = 10;

interface Props {
  preflights: Preflights;
}

/** All machines that were invited; of many, only the lines in sight are in the page. */
export function MachineList({ preflights }: Props) {
  const machines = useFleet((state) => state.lines);
  const server = useFleet((state) => state.view?.server);
  const otherVersions = useFleet((state) => state.view?.otherVersions);
  const filter = useFleet((state) => state.filter);
  const sought = useDeferredValue(useFleet((state) => state.sought));
  const found = useMemo(() => filtered(machines, filter, sought), [machines, filter, sought]);
  const all = machines.length;
  return (
    <section className={styles.list} aria-label={words.list}>
      {otherVersions && (
        <p className={styles.notice} data-testid="other-versions">
          <VerdictMark verdict="WARN" word={words.problem} /> {otherVersions}
        </p>
      )}
      <div className={styles.filters}>
        <Filter filter={filter} />
        <CheckShown machines={found} />
        <Search shown={words.shown(found.length, all)} />
      </div>
      <Heads />
      {found.length > 0 ? (
        <Lines machines={found} preflights={preflights} />
      ) : (
        <p className={styles.empty}>{emptyText(server, all)}</p>
      )}
    </section>
  );
}

function emptyText(server: FleetView['server'] | undefined, all: number): string {
  if (server === undefined) return words.waiting;
  if (server === 'none') return words.startFirst;
  return all === 0 ? words.noneInvited : words.noneMatches;
}

/** Like the search: lines change often, what is above them seldom. */
const Filter = memo(function Filter({ filter }: { filter: MachineFilter }) {
  return (
    <Choice
      label={words.filter}
      options={filters}
      value={filter}
      columns={filters.length}
      onChange={(chosen) => useFleet.setState({ filter: chosen })}
    />
  );
});

const Search = memo(function Search({ shown }: { shown: string }) {
  const typed = useFleet((state) => state.sought);
  return (
    <label className={styles.search}>
      <span className={styles.soft}>
        {words.search}: {shown}
      </span>
      <input
        type="search"
        className={styles.input}
        value={typed}
        spellCheck={false}
        onChange={({ target }) => useFleet.setState({ sought: target.value })}
      />
    </label>
  );
});

function CheckShown({ machines }: { machines: readonly MachineLine[] }) {
  const names = checkable(machines);
  return (
    <Button
      size="small"
      hindrance={names === null ? words.preflight.tooMany(mostMachines) : null}
      onPress={() => void setUpPreflight(names ?? [])}
    >
      {words.preflight.checkShown}
    </Button>
  );
}

function Heads() {
  const { name, state, cpu, gpu, received, sent, streams, preflight, console } = words.columns;
  return (
    <div className={styles.heads} aria-hidden="true">
      <span>{name}</span>
      <span>{state}</span>
      {[cpu, gpu, received, sent, streams].map((head) => (
        <span key={head} className={styles.number}>
          {head}
        </span>
      ))}
      <span>{preflight}</span>
      <span>{console}</span>
    </div>
  );
}

interface LinesProps extends Props {
  machines: readonly MachineLine[];
}

function Lines({ machines, preflights }: LinesProps) {
  const room = useRef<HTMLDivElement>(null);
  const places = useFleet((state) => state.places);
  const seen = useSeenRows(room, rowRem);
  const chosenId = useFleet((state) => state.chosenId);

  function move(event: KeyboardEvent): void {
    const steps: Partial<Record<string, number>> = {
      ...{ ArrowDown: 1, ArrowUp: -1, PageDown: rowsOfPage, PageUp: -rowsOfPage },
      ...{ Home: -machines.length, End: machines.length },
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = machines.findIndex(({ id }) => id === chosenId);
    const next = Math.max(0, Math.min(machines.length - 1, at === -1 ? 0 : at + step));
    chooseMachine(machines[next]?.id ?? '');
    const element = room.current;
    if (!element) return;
    const rowPx = element.scrollHeight / machines.length;
    const [top, bottom] = [next * rowPx, (next + 1) * rowPx];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom - element.clientHeight;
  }

  return (
    <div
      ref={room}
      className={styles.lines}
      role="listbox"
      aria-label={words.list}
      aria-activedescendant={chosenId === null ? undefined : idOf(chosenId)}
      tabIndex={0}
      onKeyDown={move}
    >
      <div className={styles.all} role="presentation" style={{ height: `${machines.length * rowRem}rem` }}>
        {machines.slice(seen.from, seen.to).map((machine, index) => (
          <Line
            key={machine.id}
            machine={machine}
            at={places.get(machine.id) ?? -1}
            top={(seen.from + index) * rowRem}
            isChosen={machine.id === chosenId}
            preflight={preflights.get(machine.id)}
          />
        ))}
      </div>
    </div>
  );
}

function idOf(machineId: string): string {
  return `machine-${machineId}`;
}

interface LineProps {
  machine: MachineLine;
  /** In the order of all. */
  at: number;
  top: number;
  isChosen: boolean;
  preflight: MachinePreflight | undefined;
}

const Line = memo(function Line({ machine, at, top, isChosen, preflight }: LineProps) {
  const { id, name, streams, console } = machine;
  const running = streams && streams.senders + streams.receivers;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: arrow keys move over the lines, which take no focus of their own
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the chosen line
    <div
      id={idOf(id)}
      className={styles.line}
      role="option"
      aria-selected={isChosen}
      data-testid="fleet-machine"
      data-state={machine.state}
      draggable
      style={{ top: `${top}rem` }}
      onDragStart={(event) => machineDrag.write(event.dataTransfer, name)}
      onClick={() => chooseMachine(id)}
    >
      <b className={styles.cell} title={name}>
        {name}
      </b>
      <State machine={machine} at={at} />
      <Figures at={at} />
      <span className={styles.number}>{running === null ? '' : figure(running)}</span>
      <PreflightCell preflight={preflight} isLast={console === null} />
      {console !== null && (
        <span className={styles.cell} title={console}>
          {console}
        </span>
      )}
    </div>
  );
});

interface PreflightCellProps {
  preflight: MachinePreflight | undefined;
  /** Nothing follows it on its line, so it has that room too. */
  isLast: boolean;
}

/** Where there is room, what is worst too. */
const PreflightCell = memo(function PreflightCell({ preflight, isLast }: PreflightCellProps) {
  if (!preflight) return <span className={styles.soft}>{words.preflight.none}</span>;
  const text = worstText(preflight);
  return (
    <span className={styles.cell} data-last={isLast} title={text}>
      <VerdictMark verdict={preflight.verdict} /> <span className={styles.worst}>{text}</span>
    </span>
  );
});

function State({ machine, at }: Pick<LineProps, 'machine' | 'at'>) {
  const { state, problems } = machine;
  const silentSeconds = useSilentSeconds(state, at);
  const title = [
    ...problems,
    ...(state === 'silent' && silentSeconds !== null ? [words.silentFor(silentSeconds)] : []),
  ].join(' ');
  const verdict = verdictOf(machine);
  const word = state === 'connected' && problems.length > 0 ? words.problem : words.states[state];
  return (
    <span className={styles.cell} title={title}>
      {verdict === null ? word : <VerdictMark verdict={verdict} word={word} />}
    </span>
  );
}

/** Its shape and colour; null: neither good nor bad. */
function verdictOf(machine: MachineLine): Verdict | null {
  if (machine.state === 'silent') return 'FAIL';
  if (hasProblem(machine)) return 'WARN';
  return machine.state === 'connected' ? 'PASS' : null;
}

/** They move each second: they never enter React, which would compare all lines in sight for them. */
function Figures({ at }: Pick<LineProps, 'at'>) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const write = ({ moving }: { moving: Moving }): void => {
      const cells = place.current?.children;
      for (const [index, text] of figureTexts(moving, at).entries()) {
        const cell = cells?.item(index);
        if (cell) writeText(cell, text);
      }
    };
    write(useFleet.getState());
    return useFleet.subscribe((now, before) => {
      if (now.moving !== before.moving) write(now);
    });
  }, [at]);
  return (
    <span ref={place} className={styles.figures}>
      <span className={styles.number}> </span>
      <span className={styles.number}> </span>
      <span className={styles.number}> </span>
      <span className={styles.number}> </span>
    </span>
  );
}

const notMeasured = '–';

/** Into the text that is there, which costs a fraction of another one in its place. */
function writeText(cell: Element, text: string): void {
  const node = cell.firstChild;
  const before = node?.nodeValue;
  if (!node || before === text) return;
  node.nodeValue = text;
  if (text === notMeasured) cell.setAttribute('title', words.notMeasured);
  else if (before === notMeasured) cell.removeAttribute('title');
}

/** Nothing where the machine is not heard, a dash where it could not measure it. */
function figureTexts(moving: Moving, at: number): string[] {
  const { figures } = nowOf(moving, at);
  const text = (value: number | null | undefined, unit: string): string => {
    if (value === undefined) return '';
    return value === null ? notMeasured : `${figure(value)} ${unit}`;
  };
  return [
    text(figures?.cpuPercent, '%'),
    text(figures?.gpuPercent, '%'),
    text(figures?.receiveMbps, 'Mb/s'),
    text(figures?.transmitMbps, 'Mb/s'),
  ];
}
