import type { Run } from '../../app/facts/run';
import { texts } from '../texts';
import styles from './report.module.css';
import { nameOfHost } from './session-data';
import { ValueTree } from './value-tree';

/** Every host of the run, then what else was noted at its start. */
export function Environment({ environment }: Pick<Run, 'environment'>) {
  const { hosts, ...rest } = environment;
  const all = Array.isArray(hosts) ? (hosts as Record<string, unknown>[]) : [];
  return (
    <>
      {all.map((host, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two machines may have one name, and they never change their order
        <section key={index} className={styles.host} data-testid="host">
          <h3 className={styles.hostName}>{texts.report.host(nameOfHost(host) ?? String(index + 1))}</h3>
          <ValueTree tree={withoutName(host)} />
        </section>
      ))}
      {(all.length === 0 || Object.keys(rest).length > 0) && <ValueTree tree={rest} />}
    </>
  );
}

function withoutName({ hostName: _, ...host }: Record<string, unknown>): Record<string, unknown> {
  return host;
}
