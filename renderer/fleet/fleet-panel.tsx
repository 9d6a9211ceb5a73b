import { type DragEvent, useState } from 'react';
import type { MachinePreflight } from '../../app/protocol/archive';
import { thisMachine } from '../../app/protocol/stream-parameters';
import type { EndPlace } from '../engine/source-settings';
import { useSettings } from '../engine/source-settings';
import { Field } from '../forms/field';
import { showScreen } from '../navigation/shown-screen';
import { setUpPreflight } from '../preflight/set-up-preflight';
import { Button, SubmitButton } from '../shell/button';
import { CommandLine } from '../shell/command-line';
import { texts } from '../texts';
import { giveRole, inRole, inviteMachine, takeRole } from './fleet-actions';
import styles from './fleet-panel.module.css';
import { type ServerView, useFleet } from './fleet-store';
import { machineDrag } from './machine-drag';
import { PreflightNote } from './preflight-note';

const words = texts.fleet;

/** The server, the machines of the next streams, and an invitation for one more. */
export function FleetPanel({ own }: { own: MachinePreflight | undefined }) {
  const view = useFleet((state) => state.view);
  const hasMachines = useFleet(({ lines }) => lines.length > 0);
  return (
    <section className={styles.panel} aria-label={words.server}>
      {view === null ? <p className={styles.soft}>{words.waiting}</p> : <Server view={view} />}
      {view !== null && hasMachines && <Roles />}
      {view !== null && hasMachines && <Own preflight={own} />}
      {view !== null && view.server !== 'none' && <Invitation />}
    </section>
  );
}

function Server({ view: { server, problem } }: { view: ServerView }) {
  const machines = useFleet(({ lines }) => lines.length);
  const connected = useFleet(({ lines }) => lines.filter(({ state }) => state === 'connected').length);
  return (
    <div className={styles.part} data-testid="fleet-server" data-server={server}>
      <h2 className={styles.title}>{words.server}</h2>
      <p>{words.servers[server]}</p>
      {machines > 0 && <p className={styles.soft}>{words.counts(connected, machines)}</p>}
      {server === 'none' && <p className={styles.soft}>{words.whatItIs}</p>}
      {problem && <p className={styles.problem}>{problem}</p>}
      {(server === 'none' || server === 'stopped') && (
        <CommandLine text="whiteline fleet start" help={words.startHelp} />
      )}
    </div>
  );
}

function Roles() {
  return (
    <div className={styles.part}>
      <h2 className={styles.title}>{words.roles}</h2>
      <Role end="sendOn" />
      <Role end="receiveOn" />
      <p className={styles.soft}>{words.dropHint}</p>
      <Button size="small" onPress={() => showScreen('streams')}>
        {words.toStreams}
      </Button>
    </div>
  );
}

/** The console’s own machine, which is in no list. */
function Own({ preflight }: { preflight: MachinePreflight | undefined }) {
  return (
    <div className={styles.part} data-testid="own-preflight">
      <h2 className={styles.title}>{words.preflight.here}</h2>
      <PreflightNote preflight={preflight} />
      <Button size="small" onPress={() => void setUpPreflight([thisMachine])}>
        {words.preflight.check}
      </Button>
    </div>
  );
}

/** Takes machines that are dropped on it. */
function Role({ end }: { end: EndPlace }) {
  const settings = useSettings();
  const [isOver, setOver] = useState(false);
  const names = inRole(end, settings);
  function over(event: DragEvent): void {
    if (!machineDrag.isOne(event.dataTransfer)) return;
    event.preventDefault();
    setOver(true);
  }
  function drop(event: DragEvent): void {
    setOver(false);
    const name = machineDrag.read(event.dataTransfer);
    if (name !== '') giveRole(end, name);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop on; buttons of the list do the same by the keyboard
    <div
      className={styles.role}
      data-over={isOver || undefined}
      data-testid={`role-${end}`}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h3 className={styles.soft}>{words.role[end]}</h3>
      {names.length === 0 && <p>{words.here}</p>}
      <ul className={styles.names}>
        {names.map((name) => (
          <li key={name} className={styles.name}>
            <span className={styles.cut} title={name}>
              {name}
            </span>
            <button
              type="button"
              className={styles.remove}
              aria-label={words.remove(name)}
              onClick={() => takeRole(end, name)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Invitation() {
  const { name, invitation, refusal } = useFleet();
  const isEmpty = name.trim() === '';
  return (
    <form
      className={styles.part}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) void inviteMachine(false);
      }}
    >
      <h2 className={styles.title}>{words.invite}</h2>
      <Field
        label={words.inviteName}
        value={name}
        hint={words.inviteHint}
        problem={refusal?.words}
        onChange={(typed) => useFleet.setState({ name: typed, refusal: null })}
      />
      <SubmitButton isDisabled={isEmpty}>{words.inviteAction}</SubmitButton>
      {refusal?.isInvited && (
        <Button size="small" onPress={() => void inviteMachine(true)}>
          {words.inviteAgain}
        </Button>
      )}
      {invitation && (
        <div className={styles.made} role="status">
          <p className={styles.wrapped}>{words.invited(invitation.made.path)}</p>
          <CommandLine text={`whiteline agent ${fileOf(invitation.made.path)}`} />
          {!invitation.made.isAccepted && <p className={styles.problem}>{words.acceptedLater}</p>}
        </div>
      )}
    </form>
  );
}

function fileOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
