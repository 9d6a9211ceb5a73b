import type { Verdict } from '../../app/facts/verdict';
import { type ChosenRegistry, nmosKinds, type SeenRegistry } from '../../app/protocol/nmos';
import { useConsole } from '../engine/console-store';
import { figure } from '../format';
import { Field } from '../forms/field';
import { Button, SubmitButton } from '../shell/button';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { chooseRegistry, leaveRegistry } from './nmos-actions';
import { useNmos } from './nmos-store';
import { OwnNodeState } from './own-node-state';
import styles from './registry-panel.module.css';

const { nmos } = texts;
const answerMarks = { asked: null, unasked: null, there: 'PASS', silent: 'FAIL' } as const;
const stateMarks: Record<ChosenRegistry['state'], Verdict> = {
  reading: 'INVALID',
  live: 'PASS',
  unread: 'FAIL',
  lost: 'FAIL',
  paused: 'INVALID',
};

/** Registries that are announced or were typed, and the one that is read. */
export function RegistryPanel() {
  const view = useNmos((state) => state.view);
  const isEngineThere = useConsole(({ life }) => life.state !== 'crashed');
  return (
    <section className={styles.panel} aria-label={nmos.registries}>
      <h2 className={styles.title}>{nmos.registries}</h2>
      <AddressForm />
      {view?.chosen && <Chosen chosen={view.chosen} />}
      <OwnNode />
      {view === null && (
        <p className={styles.soft}>{isEngineThere ? nmos.waiting : texts.engine.crashedPane}</p>
      )}
      {view?.discoveryProblem && (
        <p className={styles.problem}>
          {[view.discoveryProblem.message, view.discoveryProblem.remedy].filter(Boolean).join('. ')}
        </p>
      )}
      {view?.registries.length === 0 && !view.isPaused && (
        <div>
          <p>{nmos.noRegistry}</p>
          <p className={styles.soft}>{nmos.noRegistryRemedy}</p>
        </div>
      )}
      <ul className={styles.list}>
        {view?.registries.map((registry) => (
          <Seen key={registry.url} registry={registry} isChosen={registry.url === view.chosen?.url} />
        ))}
      </ul>
    </section>
  );
}

function AddressForm() {
  const url = useNmos((state) => state.url);
  const problem = useNmos((state) => state.problems.url);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void chooseRegistry(url);
      }}
    >
      <Field
        label={nmos.address}
        value={url}
        hint={nmos.addressHint}
        problem={problem}
        onChange={(typed) => useNmos.setState({ url: typed, problems: {} })}
      />
      <SubmitButton isDisabled={url.trim() === ''}>{nmos.read}</SubmitButton>
    </form>
  );
}

function Chosen({ chosen }: { chosen: ChosenRegistry }) {
  const { url, state, reason, version, syncedMs, leftOut, leftOutFirst } = chosen;
  const lists = useNmos((held) => held.lists);
  return (
    <div className={styles.chosen} data-testid="nmos-chosen" data-state={state}>
      <VerdictMark verdict={stateMarks[state]} word={nmos.states[state]} />
      <b className={styles.url}>{url}</b>
      {version && <p className={styles.soft}>{nmos.version(version)}</p>}
      <p className={styles.counts}>
        {state !== 'unread' && nmosKinds.map((kind) => nmos.counts[kind](lists[kind].length)).join(', ')}
        {syncedMs !== null && state === 'live' && `; ${nmos.synced(figure(syncedMs / 1000, 2))}`}
      </p>
      {reason && (
        <p className={styles.problem} role="status">
          {reason}. {state === 'lost' ? nmos.lostText : nmos.unreadText}
        </p>
      )}
      {leftOut > 0 && <p className={styles.soft}>{nmos.leftOut(figure(leftOut), leftOutFirst ?? '')}</p>}
      <Button size="small" onPress={leaveRegistry}>
        {nmos.leave}
      </Button>
    </div>
  );
}

function Seen({ registry, isChosen }: { registry: SeenRegistry; isChosen: boolean }) {
  const { url, names, apis, priority, answer } = registry;
  const mark = answerMarks[answer.is];
  const hasQuery = apis.some(({ name }) => name === 'query');
  return (
    <li className={styles.seen} aria-current={isChosen || undefined} data-testid="nmos-registry">
      <b className={styles.url}>{url}</b>
      <span className={styles.answer}>
        {mark ? <VerdictMark verdict={mark} word={nmos.answers[answer.is]} /> : nmos.answers[answer.is]}
        {priority !== null && <span className={styles.soft}>{nmos.priority(priority)}</span>}
      </span>
      <span className={styles.soft}>
        {apis.map(({ name, versions }) => `${nmos.apis[name]} ${versions.join(', ')}`).join('; ')}
      </span>
      <span className={styles.soft}>{names.join(', ')}</span>
      {answer.is === 'silent' && <span className={styles.problem}>{answer.reason}</span>}
      {!hasQuery && <span className={styles.soft}>{nmos.noQuery}</span>}
      {hasQuery && !isChosen && (
        <Button size="small" label={nmos.readThis(url)} onPress={() => void chooseRegistry(url)}>
          {nmos.read}
        </Button>
      )}
    </li>
  );
}

/** What became of this console as a node, where it is one. */
function OwnNode() {
  const node = useConsole((view) => view.engine?.nmosNode ?? null);
  if (node === null || node.is === 'off') return null;
  return (
    <p className={styles.soft} data-testid="nmos-own-node">
      {nmos.ownNode}: <OwnNodeState node={node} />
    </p>
  );
}
