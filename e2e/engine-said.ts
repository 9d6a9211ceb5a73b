import { shellChannels } from '../app/protocol/bridge';
import type { EngineMessage } from '../app/protocol/console';
import type { Console } from './app';

/** Shows the window what the engine would say of a run, in its place. */
export async function say({ page }: Console, messages: readonly EngineMessage[]): Promise<void> {
  await page.evaluate(
    ({ messages, type }) => {
      const { port1, port2 } = new MessageChannel();
      window.postMessage({ type }, '*', [port2]);
      for (const message of messages) port1.postMessage(message);
    },
    { messages: [...messages], type: shellChannels.enginePort },
  );
}
