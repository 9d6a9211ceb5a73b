import type { MachineFacts, MachineLine, MachineState } from '../../app/protocol/fleet/fleet-view';
import { type EndPlace, useSettings } from '../engine/source-settings';
import { figure } from '../format';
import { setUpPreflight } from '../preflight/set-up-preflight';
import { CommandLine } from '../shell/command-line';
import { texts } from '../texts';
import { giveRole, inRole, takeRole } from './fleet-actions';
import { history, placeOfChosen, useFleet, useSilentSeconds } from './fleet-store';
import { HistoryChart } from './history-chart';
import styles from './machine-detail.module.css';
import { PreflightNote } from './preflight-note';
import type { Preflights } from './preflights';

const words = texts.fleet;

/** What the chosen machine is, what it does, and which part it takes in the next streams. */
export function MachineDetail({ preflights }: { preflights: Preflights }) {
  const at = useFleet(placeOfChosen);
  const line = useFleet(({ lines }) => lines[at]);
  const hasMachines = useFleet(({ lines }) => lines.length > 0);
  const facts = useFleet((state) => state.facts);
  if (!line) {
    if (!hasMachines) return null;
    return <p className={styles.none}>{words.chooseOne}</p>;
  }
  return (
    <section className={styles.detail} aria-label={line.name} data-testid="fleet-detail">
      <div className={styles.head}>
        <h2 className={styles.title}>{line.name}</h2>
        <button
          type="button"
          className={styles.role}
          disabled={line.state !== 'connected'}
          onClick={() => void setUpPreflight([line.name])}
        >
          {words.preflight.check}
        </button>
        <RoleButton end="sendOn" name={line.name} />
        <RoleButton end="receiveOn" name={line.name} />
      </div>
      <Problems line={line} at={at} />
      <PreflightNote preflight={preflights.get(line.id)} />
      {facts && (
        <div className={styles.parts}>
          <Charts id={line.id} facts={facts} />
          <Facts facts={facts} version={line.version} />
        </div>
      )}
    </section>
  );
}

function RoleButton({ end, name }: { end: EndPlace; name: string }) {
  const settings = useSettings();
  const hasRole = inRole(end, settings).includes(name);
  const change = hasRole ? takeRole : giveRole;
  return (
    <button
      type="button"
      className={styles.role}
      aria-pressed={hasRole}
      onClick={() => change(end, name)}
      data-testid={`give-${end}`}
    >
      {end === 'sendOn' ? words.sendFrom : words.receiveOn}
    </button>
  );
}

function Problems({ line: { name, state, problems }, at }: { line: MachineLine; at: number }) {
  const silentSeconds = useSilentSeconds(state, at);
  return (
    <>
      {problems.map((problem) => (
        <p key={problem} className={styles.problem}>
          {problem}
        </p>
      ))}
      {state !== 'connected' && (
        <div className={styles.gone}>
          <p>{awayText(state, silentSeconds)}</p>
          <CommandLine text={`whiteline agent ${name}.join.json`} />
        </div>
      )}
    </>
  );
}

function awayText(state: MachineState, silentSeconds: number | null): string {
  if (state !== 'silent') return state === 'ended' ? words.ended : words.absent;
  return [silentSeconds !== null && words.silentFor(silentSeconds), words.startIt].filter(Boolean).join(' ');
}

function Facts({ facts, version }: { facts: MachineFacts; version: string | null }) {
  const { machine, limits, addresses, uptimeSeconds, clockUncertaintyMs } = facts;
  const { board, cpuModel, cores, memoryMb, gpus, interfaces, system, ndi, notKnown, hostName } = machine;
  const cards = interfaces
    .filter(isInUse)
    .map(({ name, state, speedMbps }) => words.card(name, state, speedMbps));
  const lines: [string, string][] = [
    [words.facts.board, board ?? words.notKnown(notKnown.board)],
    [words.facts.cpu, words.cores(cpuModel, cores)],
    [words.facts.gpu, gpus === null ? words.notKnown(notKnown.gpus) : gpus.join(', ') || words.noneFound],
    [words.facts.memory, `${figure(memoryMb / 1024, 1)} GiB`],
    [words.facts.cards, cards.join(', ') || words.noneFound],
    [words.facts.addresses, addresses.join(', ') || words.noneFound],
    [words.facts.system, `${system}, ${hostName}`],
    [words.facts.ndi, ndi === null ? words.notKnown(notKnown.ndi) : texts.ndi.version(ndi)],
    [words.facts.version, version ?? words.notKnown(undefined)],
    [words.facts.clock, clockUncertaintyMs === null ? words.clockNotKnown : words.clock(clockUncertaintyMs)],
    [words.facts.limits, words.limits(limits.streams, limits.format, limits.minutes)],
    [words.facts.running, words.hours(uptimeSeconds)],
  ];
  return (
    <dl className={styles.facts}>
      {lines.map(([label, value]) => (
        <div key={label} className={styles.fact}>
          <dt className={styles.label}>{label}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Of cards that are down there are many on some machines. */
function isInUse({ name, state }: MachineFacts['machine']['interfaces'][number]): boolean {
  return name !== 'lo' && state !== 'down';
}

function Charts({ id, facts: { notMeasured } }: { id: string; facts: MachineFacts }) {
  // The history grows with each look.
  useFleet((state) => state.moving);
  const looks = history.of(id);
  const { charts, received, sent } = words;
  return (
    <div className={styles.charts}>
      <HistoryChart
        title={charts.cpu}
        unit="%"
        top={100}
        lines={[{ name: '', values: looks.map((look) => look?.cpuPercent ?? null) }]}
        notMeasured={notMeasured.cpuPercent}
      />
      <HistoryChart
        title={charts.gpu}
        unit="%"
        top={100}
        lines={[{ name: '', values: looks.map((look) => look?.gpuPercent ?? null) }]}
        notMeasured={notMeasured.gpuPercent}
      />
      <HistoryChart
        title={charts.network}
        unit="Mb/s"
        lines={[
          { name: received, values: looks.map((look) => look?.receiveMbps ?? null) },
          { name: sent, values: looks.map((look) => look?.transmitMbps ?? null) },
        ]}
        notMeasured={notMeasured.wireReceiveMbps}
      />
    </div>
  );
}
