import { nameOfField } from '../../app/experiments/field-words';
import { notMeasuredSign } from '../format';
import { texts } from '../texts';
import table from './plain-table.module.css';
import styles from './report.module.css';

interface Props {
  tree: Record<string, unknown>;
}

/** Values of any shape: plain ones, and things of plain ones, as a list, lists of things as tables, things of things under a heading of their own. */
export function ValueTree({ tree }: Props) {
  const entries = shownEntries(tree);
  if (entries.length === 0) return <p className={styles.note}>{texts.report.none}</p>;
  const plain = entries.filter(([, value]) => isInLine(value));
  return (
    <div className={styles.tree}>
      {plain.length > 0 && (
        <Values values={plain.map(([name, value]) => [wordsOf(name), valueText(value)])} areShort />
      )}
      {entries.map(([name, value]) => {
        const things = thingsIn(value);
        if (things) {
          return (
            <section key={name}>
              <h4 className={styles.subheading}>{wordsOf(name)}</h4>
              <ThingTable things={things} />
            </section>
          );
        }
        if (!isThing(value) || isInLine(value)) return null;
        return (
          <section key={name}>
            <h4 className={styles.subheading}>{wordsOf(name)}</h4>
            <ValueTree tree={value} />
          </section>
        );
      })}
    </div>
  );
}

/** Whether a tree shows anything. */
export function hasValues(tree: Record<string, unknown>): boolean {
  return shownEntries(tree).length > 0;
}

function shownEntries(tree: Record<string, unknown>): [string, unknown][] {
  return Object.entries(withReasons(tree)).filter(([, value]) => valueText(value) !== notMeasuredSign);
}

interface ValuesProps {
  values: readonly (readonly [name: string, text: string])[];
  /** They stand beside one another where there is room. */
  areShort?: boolean;
  /** For looking one of them up. */
  areSmall?: boolean;
}

export function Values({ values, areShort, areSmall }: ValuesProps) {
  if (values.length === 0) return <p className={styles.note}>{texts.report.none}</p>;
  return (
    <dl className={styles.values} data-short={areShort} data-small={areSmall}>
      {values.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Things of one kind, such as the interfaces of a machine: a line for each, and no column of what none of them has. */
function ThingTable({ things }: { things: readonly Record<string, unknown>[] }) {
  const names = [...new Set(things.flatMap((thing) => Object.keys(thing)))].filter(
    (name) => name !== unknownNames && things.some((thing) => valueText(thing[name]) !== notMeasuredSign),
  );
  const lines = things.map((thing) => names.map((name) => valueText(thing[name])));
  const unknown = reasonsIn(things);
  return (
    <>
      <table className={table.table}>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {wordsOf(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((cells, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the things never change their order
            <tr key={line}>
              {cells.map((text, index) => (
                <td key={names[index]} className={styles.typed}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {unknown.length > 0 && <p className={styles.note}>{texts.report.notKnown(unknown)}</p>}
    </>
  );
}

/** What a thing lacks, by name, with the reason. */
const unknownNames = 'notKnown';

function reasonsOf({ [unknownNames]: reasons }: Record<string, unknown>): Record<string, unknown> {
  return isThing(reasons) ? reasons : {};
}

/** Each reason once, with what any of the things lacks for it. */
function reasonsIn(things: readonly Record<string, unknown>[]): string[] {
  const names = new Map<string, Set<string>>();
  for (const [name, reason] of things.flatMap((thing) => Object.entries(reasonsOf(thing)))) {
    const text = valueText(reason);
    names.set(text, (names.get(text) ?? new Set()).add(wordsOf(name)));
  }
  return [...names].map(([reason, of]) => `${[...of].join(', ')}: ${reason}`);
}

/** The reason why something is not known stands in its place, and not a second time further below. */
function withReasons(tree: Record<string, unknown>): Record<string, unknown> {
  const reasons = reasonsOf(tree);
  const named = (name: string): boolean => tree[name] === null && reasons[name] !== undefined;
  const others = Object.entries(reasons).filter(([name]) => !named(name));
  const entries = Object.entries(tree).flatMap(([name, value]): [string, unknown][] => {
    if (name === unknownNames && isThing(value))
      return others.length > 0 ? [[name, Object.fromEntries(others)]] : [];
    return [[name, named(name) ? reasons[name] : value]];
  });
  return Object.fromEntries(entries);
}

/** What has a line each in a table: a list of things, or things with the same fields by their names. */
function thingsIn(value: unknown): Record<string, unknown>[] | null {
  if (isListOfThings(value)) return value;
  if (!isThing(value)) return null;
  const things = Object.entries(value);
  const fields = new Set(
    things.map(([, thing]) => (isThing(thing) ? Object.keys(thing).sort().join() : null)),
  );
  if (things.length < 2 || fields.size !== 1 || fields.has(null)) return null;
  return things.map(([name, thing]) => ({ name, ...(isThing(thing) && thing) }));
}

function isThing(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Plain values, and things of nothing else. */
function isInLine(value: unknown): boolean {
  if (isThing(value)) return Object.values(value).every((inner) => !isThing(inner) && !isListOfThings(inner));
  return !isListOfThings(value);
}

function isListOfThings(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isThing);
}

/** What stands in a table's cell; a thing within a thing as its own names and values. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return notMeasuredSign;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? notMeasuredSign : value.map(valueText).join(', ');
  if (typeof value !== 'object') return String(value);
  const inner = Object.entries(value).map(([name, of]) => [wordsOf(name), valueText(of)] as const);
  const given = inner.filter(([, text]) => text !== notMeasuredSign);
  return given.length === 0 ? notMeasuredSign : given.map(([name, text]) => named(name, text)).join('; ');
}

/** NDI names itself in its version. A colon ends a name of several words. */
function named(name: string, text: string): string {
  if (text.startsWith(`${name} `)) return text;
  return name.includes(' ') ? `${name}: ${text}` : `${name} ${text}`;
}

const abbreviations: Record<string, string> = {
  ...{
    cpu: 'CPU',
    gpu: 'GPU',
    gpus: 'GPUs',
    ndi: 'NDI',
    mtu: 'MTU',
    eee: 'EEE',
    pcie: 'PCIe',
    udp: 'UDP',
    tcp: 'TCP',
  },
  ...{ os: 'OS', id: 'id', mac: 'MAC', ip: 'IP', bios: 'BIOS', lldp: 'LLDP', ptp: 'PTP', sha256: 'SHA-256' },
};

/** The unit that a name ends in follows it: "memoryMb" is "Memory (MB)". */
const units: Record<string, string> = {
  ...{
    Mb: 'MB',
    Gb: 'GB',
    Bytes: 'bytes',
    Mbps: 'Mb/s',
    Gbps: 'Gb/s',
    Seconds: 's',
    Ms: 'ms',
    Us: 'µs',
    Ns: 'ns',
  },
  ...{ Percent: '%', Hertz: 'Hz', Hz: 'Hz', Mhz: 'MHz', MHz: 'MHz', MBps: 'MB/s' },
};

/** A field of ours by the table of names; what others name as words: "lostWindowSeconds" is "Lost window (s)". */
export function wordsOf(name: string): string {
  const known = nameOfField(name);
  if (known !== undefined) return known;
  const unit = Object.keys(units).find((ending) => name.endsWith(ending) && name.length > ending.length);
  const bare = unit ? name.slice(0, -unit.length) : name;
  const words = bare
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_.]+/)
    .map((word) => abbreviations[word.toLowerCase()] ?? word.toLowerCase());
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${unit ? ` (${units[unit]})` : ''}`;
}
