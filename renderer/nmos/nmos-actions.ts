import { type Problem, problemText, renameFields } from '../../app/protocol/errors';
import { perform } from '../engine/actions';
import { command } from '../engine/connection';
import { texts } from '../texts';
import { book, forgetNmos, useNmos } from './nmos-store';

/** What an operator does on this screen. What is wrong with a field is said there; anything else is an alert. */

export function openNmos(): () => void {
  void perform({ name: 'openNmos' });
  return () => {
    void command({ name: 'closeNmos' });
    forgetNmos();
  };
}

export async function chooseRegistry(url: string): Promise<void> {
  const address = url.trim();
  const full = address === '' || address.includes('://') ? address : `http://${address}`;
  const { problem } = await command({ name: 'chooseRegistry', url: full });
  noteProblem('url', problem);
}

export function leaveRegistry(): void {
  void perform({ name: 'leaveRegistry' });
}

export async function examineNetwork(): Promise<void> {
  const { dnsServer, domain } = useNmos.getState();
  const { problem } = await command({
    name: 'examineNetwork',
    dnsServer: dnsServer.trim(),
    domain: domain.trim(),
  });
  noteProblem(problem?.field === 'domain' ? 'domain' : 'dnsServer', problem);
}

function noteProblem(field: string, problem: Problem | null): void {
  const labels = new Map([
    ['dnsServer', texts.nmos.dnsServer],
    ['domain', texts.nmos.domain],
  ]);
  const text =
    problem &&
    problemText(
      renameFields(problem, (name) => {
        const label = labels.get(name);
        return label && `“${label}”`;
      }),
    );
  useNmos.setState({ problems: text === null ? {} : { [field]: text } });
}

/** Asks for the operator's word; where both are connected, to take them apart. */
export function askToConnect(receiverId: string, senderId: string): void {
  const receiver = book.get('receiver', receiverId);
  const isConnected = receiver?.senderId === senderId && receiver.isActive;
  useNmos.setState({ asked: { receiverId, senderId: isConnected ? null : senderId } });
}

export function dropAsked(): void {
  useNmos.setState({ asked: null });
}

/** What becomes of it comes with the view. */
export function connectAsked(): void {
  const { asked } = useNmos.getState();
  if (asked === null) return;
  dropAsked();
  void perform({ name: 'connectReceiver', ...asked });
}
