import { notMeasuredSign } from '../format';
import { texts } from '../texts';
import table from './plain-table.module.css';
import styles from './report.module.css';

interface Props {
  tree: Record<string, unknown>;
}

/** Values of any shape: plain ones as a list, lists of things as tables, things of things under a heading of their own. */
export function ValueTree({ tree }: Props) {
  const entries = Object.entries(tree);
  if (entries.length === 0) return <p className={styles.note}>{texts.report.none}</p>;
  const plain = entries.filter(([, value]) => !isThing(value) && !isListOfThings(value));
  return (
    <div className={styles.tree}>
      {plain.length > 0 && (
        <Values values={plain.map(([name, value]) => [wordsOf(name), valueText(value)])} />
      )}
      {entries.map(([name, value]) => {
        if (isListOfThings(value)) {
          return (
            <section key={name}>
              <h4 className={styles.subheading}>{wordsOf(name)}</h4>
              <ThingTable things={value} />
            </section>
          );
        }
        if (!isThing(value)) return null;
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

export function Values({ values }: { values: readonly [name: string, text: string][] }) {
  if (values.length === 0) return <p className={styles.note}>{texts.report.none}</p>;
  return (
    <dl className={styles.values}>
      {values.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Things of one kind, such as the interfaces of a machine: a line for each. */
function ThingTable({ things }: { things: readonly Record<string, unknown>[] }) {
  const names = [...new Set(things.flatMap((thing) => Object.keys(thing)))];
  const lines = things.map((thing) => names.map((name) => valueText(thing[name])));
  return (
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
              <td key={names[index]}>{text}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function isThing(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
  return Object.entries(value)
    .map(([name, inner]) => `${wordsOf(name)} ${valueText(inner)}`)
    .join('; ');
}

const abbreviations: Record<string, string> = {
  ...{ cpu: 'CPU', gpu: 'GPU', ndi: 'NDI', mtu: 'MTU', eee: 'EEE', pcie: 'PCIe', udp: 'UDP', tcp: 'TCP' },
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

/** "lostWindowSeconds" as words: "Lost window (s)". */
export function wordsOf(name: string): string {
  const unit = Object.keys(units).find((ending) => name.endsWith(ending) && name.length > ending.length);
  const bare = unit ? name.slice(0, -unit.length) : name;
  const words = bare
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_.]+/)
    .map((word) => abbreviations[word.toLowerCase()] ?? word.toLowerCase());
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${unit ? ` (${units[unit]})` : ''}`;
}
