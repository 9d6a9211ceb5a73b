import { type FormEvent, useState } from 'react';
import { problemText } from '../../app/protocol/errors';
import { command } from '../engine/connection';
import { chooseAddress } from '../engine/live-sources';
import { Field } from '../forms/field';
import { Button } from '../shell/button';
import { texts } from '../texts';
import styles from './live-sources.module.css';
import panel from './panel.module.css';

const words = texts.liveSources;

/** Where a sender is that discovery does not find: with its port it is chosen, a host is asked for its senders. */
export function SenderAddress() {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const [asked, setAsked] = useState<string | null>(null);

  async function look(): Promise<void> {
    const address = typed.trim();
    const { result, problem } = await command({ name: 'searchAddress', address });
    setProblem(problem ? problemText(problem) : undefined);
    setAsked(result && !result.hasPort ? address : null);
    if (!result) return;
    setTyped('');
    // So that the keys are those of the screen again: A adds what is chosen now.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    if (result.hasPort) chooseAddress(address);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    void look();
  }

  return (
    <form className={styles.address} onSubmit={submit}>
      <Field
        label={words.address}
        value={typed}
        hint={words.addressHint}
        problem={problem}
        onChange={(text) => {
          setTyped(text);
          setProblem(undefined);
        }}
      />
      <Button size="small" onPress={() => void look()}>
        {words.lookThere}
      </Button>
      {asked !== null && (
        <p className={panel.hint} role="status">
          {words.asked(asked)}
        </p>
      )}
    </form>
  );
}
