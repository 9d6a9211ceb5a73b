import { app, type BrowserWindow, dialog } from 'electron';
import type { EngineActivity } from '../protocol/shell';

interface Question {
  message: string;
  detail: string;
}

/** Asks before closing the console or quitting ends what is being measured. */
export class CloseGuard {
  private isSettled = false;
  private isAsking = false;

  constructor(private readonly activity: () => Promise<EngineActivity>) {}

  watch(console: BrowserWindow): void {
    const hold = (event: Electron.Event): void => {
      if (this.isSettled) return;
      event.preventDefault();
      void this.ask(console);
    };
    console.on('close', hold);
    // Quitting closes the other windows first: it is held before any of them is gone.
    app.on('before-quit', hold);
  }

  /** For a signal, such as Ctrl-C in the terminal: it waits for no dialog. */
  quitAtOnce(): void {
    this.isSettled = true;
    app.quit();
  }

  private async ask(console: BrowserWindow): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    const question = questionOf(await this.activity());
    const isSure = question === null || (await isConfirmed(console, question));
    this.isAsking = false;
    if (isSure) this.quitAtOnce();
  }
}

/** Null if closing ends nothing. */
function questionOf(activity: EngineActivity): Question | null {
  if (activity.mode === 'silent')
    return {
      message: 'The engine does not answer. Close Whiteline all the same?',
      detail: 'A run may be going on. What it has written stays in its folder.',
    };
  if (activity.mode === 'experiment')
    return {
      message: 'A run is going on. Stop it and close Whiteline?',
      detail: 'The run ends as aborted. The rows that are closed stay in its folder.',
    };
  if (activity.mode === 'live') {
    const { streams } = activity;
    const live = streams === 1 ? '1 stream is live' : `${streams} streams are live`;
    return {
      message: `${live}. Stop and close Whiteline?`,
      detail: 'The open row is closed, and the run ends with its verdict.',
    };
  }
  return null;
}

async function isConfirmed(console: BrowserWindow, question: Question): Promise<boolean> {
  const buttons = ['Keep running', 'Stop and close'];
  const { response } = await dialog.showMessageBox(console, {
    ...{ type: 'question', title: 'Whiteline', buttons, defaultId: 0, cancelId: 0, noLink: true },
    ...question,
  });
  return response === 1;
}
