import type { Run } from '../../app/facts/run';
import { texts } from '../texts';
import styles from './report.module.css';
import { nameOfHost } from './session-data';
import { hasValues, ValueTree } from './value-tree';

/** Every host of the run, then what else was noted at its start. */
export function Environment({ environment }: Pick<Run, 'environment'>) {
  const { hosts, ...others } = environment;
  const all = Array.isArray(hosts) ? onceEach(hosts as Record<string, unknown>[]) : [];
  const rest = withoutVersions(others, all);
  return (
    <>
      {all.map((host, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two machines may have one name, and they never change their order
        <section key={index} className={styles.host} data-testid="host">
          <h3 className={styles.hostName}>{texts.report.host(nameOfHost(host) ?? String(index + 1))}</h3>
          <ValueTree tree={withoutName(host)} />
        </section>
      ))}
      {(all.length === 0 || hasValues(rest)) && <ValueTree tree={rest} />}
    </>
  );
}

/** Versions that the hosts have with their own are not said again. */
function withoutVersions(
  environment: Record<string, unknown>,
  hosts: readonly Record<string, unknown>[],
): Record<string, unknown> {
  if (!hosts.some(({ versions }) => typeof versions === 'object' && versions !== null)) return environment;
  const { node: _, whiteline: __, ndi, ...others } = environment;
  const { version: ___, ...rest } = (ndi ?? {}) as Record<string, unknown>;
  return { ndi: rest, ...others };
}

/** A machine that sends and receives is recorded by both ends, and once more by each sender that is started again. */
function onceEach(hosts: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return [...new Map(hosts.map((host) => [JSON.stringify(host, inOrder), host])).values()];
}

/** What a machine is asked for stands in the order of its answers. */
function inOrder(_: string, value: unknown): unknown {
  const isTree = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isTree ? Object.fromEntries(Object.entries(value).sort()) : value;
}

function withoutName({ hostName: _, ...host }: Record<string, unknown>): Record<string, unknown> {
  return host;
}
