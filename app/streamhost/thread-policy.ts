import { badInput } from '../protocol/errors';
import type { ThreadPolicyOptions } from '../protocol/thread-policy';

const variable = 'WHITELINE_THREAD_POLICY';

/**
 * What this process asks of the system for its threads: real-time priority where they may have it, unless the environment
 * variable WHITELINE_THREAD_POLICY says otherwise: "off", or any of "ordinary", "locked-memory" and "core=3", with commas.
 * @throws WhitelineError BAD_INPUT
 */
export function threadPolicyOf(environment: NodeJS.ProcessEnv): ThreadPolicyOptions {
  const text = environment[variable];
  const policy: ThreadPolicyOptions = { enabled: true, realTime: true, lockedMemory: false };
  if (!text) return policy;
  if (text === 'off') return { ...policy, enabled: false };
  for (const word of text.split(',')) {
    const [, core] = /^core=(\d{1,4})$/.exec(word) ?? [];
    if (word === 'ordinary') policy.realTime = false;
    else if (word === 'locked-memory') policy.lockedMemory = true;
    else if (core !== undefined && Number(core) < 8192) policy.core = Number(core);
    else throw refusal(text);
  }
  return policy;
}

function refusal(text: string): Error {
  const expected = 'off, or any of ordinary, locked-memory and core=NUMBER with commas between them,';
  return badInput(variable, expected, text, 'Unset it for the policy that counts where none is named');
}
