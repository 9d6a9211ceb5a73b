import { useDeferredValue, useMemo, useRef } from 'react';
import { type ChosenRegistry, type NmosKind, type NmosResource, nmosKinds } from '../../app/protocol/nmos';
import { figure } from '../format';
import { Choice } from '../shell/choice';
import { useSeenRows } from '../shell/seen-rows';
import { texts } from '../texts';
import { book, useNmos } from './nmos-store';
import { matching, nameOf } from './resource-book';
import styles from './resource-list.module.css';

const { nmos } = texts;
const rowRem = 2.2;

/** The registry's resources of one kind. The page holds only the visible lines, because there can be thousands. */
export function ResourceList() {
  const lists = useNmos((state) => state.lists);
  const kind = useNmos((state) => state.kind);
  const typed = useNmos((state) => state.resources);
  const registry = useNmos((state) => state.view?.chosen?.state ?? null);
  const sought = useDeferredValue(typed);
  const found = useMemo(() => matching(lists[kind], sought), [lists, kind, sought]);
  return (
    <section className={styles.resources} aria-label={nmos.parts.resources}>
      <div className={styles.filters}>
        <Choice
          label={nmos.kind}
          options={nmosKinds.map((one) => [one, `${nmos.kinds[one]} ${figure(lists[one].length)}`] as const)}
          value={kind}
          columns={nmosKinds.length}
          onChange={(chosen) => useNmos.setState({ kind: chosen })}
        />
        <label className={styles.search}>
          <span className={styles.soft}>
            {nmos.search}: {nmos.shown(figure(found.length), figure(lists[kind].length))}
          </span>
          <input
            type="search"
            className={styles.input}
            value={typed}
            spellCheck={false}
            onChange={({ target }) => useNmos.setState({ resources: target.value })}
          />
        </label>
      </div>
      {found.length > 0 ? (
        <Lines key={kind} kind={kind} resources={found} />
      ) : (
        <p className={styles.empty}>{emptyText(registry, lists[kind].length)}</p>
      )}
    </section>
  );
}

function emptyText(registry: ChosenRegistry['state'] | null, held: number): string {
  if (registry === null) return nmos.chooseFirstText;
  if (held > 0) return nmos.noneMatches;
  return registry === 'live' ? nmos.holdsNone : nmos.notRead;
}

function Lines({ kind, resources }: { kind: NmosKind; resources: readonly NmosResource[] }) {
  const room = useRef<HTMLElement>(null);
  const seen = useSeenRows(room, rowRem);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus no key would scroll it
    <section ref={room} className={styles.lines} aria-label={nmos.kinds[kind]} tabIndex={0}>
      <div className={styles.all} style={{ height: `${resources.length * rowRem}rem` }}>
        {resources.slice(seen.from, seen.to).map((resource, index) => (
          <div
            key={resource.id}
            className={styles.line}
            data-testid="nmos-resource"
            style={{ top: `${(seen.from + index) * rowRem}rem` }}
          >
            <b className={styles.cell} title={nameOf(resource)}>
              {nameOf(resource)}
            </b>
            <Details resource={resource} />
            <span className={styles.id} title={resource.id}>
              {resource.id}
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

function Details({ resource: { kind, parentId, transport, format, senderId } }: { resource: NmosResource }) {
  const parent = kind === 'node' ? '' : placeName(kind === 'device' ? 'node' : 'device', parentId);
  const sender = senderId === null ? '' : placeName('sender', senderId);
  const means = [format, transport, sender && `${nmos.connectedTo} ${sender}`].filter(Boolean).join(', ');
  return (
    <>
      <span className={styles.cell} title={parent}>
        {parent}
      </span>
      <span className={styles.cell} title={means}>
        {means}
      </span>
    </>
  );
}

function placeName(kind: NmosKind, id: string): string {
  const found = book.get(kind, id);
  return found ? nameOf(found) : `${id}, ${nmos.unknown}`;
}
