import { endWords } from '../../../facts/process-end';
import { type Problem, WhitelineError } from '../../../protocol/errors';
import { plainLine } from '../../../protocol/plain-text';
import { type HelperFault, helperLimits } from './helper-watch';

/** How its process ended. */
export interface HelperEnd {
  exitCode: number | null;
  endSignal: NodeJS.Signals | null;
}

const seconds = (ms: number): string => `${ms / 1000} s`;
const mostSaidCharacters = 500;

/** Problems with one helper, in words. */
export class HelperProblems {
  constructor(private readonly name: string) {}

  died(end: HelperEnd, lastWords: string): WhitelineError {
    return this.of('HOST_DIED', `${howEnded(end)}${saying(lastWords)}`);
  }

  notStopped(end: HelperEnd, lastWords: string): WhitelineError {
    return this.of('HOST_DIED', `did not stop in order: it ${howEnded(end)}${saying(lastWords)}`);
  }

  stuck(processId: number | undefined): WhitelineError {
    const waited = seconds(helperLimits.goneMs);
    return this.of(
      'HOST_DIED',
      `(process ${processId}) is still there ${waited} after SIGKILL: it waits in the kernel`,
    );
  }

  cutOff(): WhitelineError {
    return this.of('HOST_DIED', 'ended in the middle of a message');
  }

  notStarted(why: string): WhitelineError {
    return this.of('TOOL_FAILED', `could not be started: ${why}`);
  }

  wrote(what: string): WhitelineError {
    return this.of('TOOL_FAILED', `was ended, since it sent ${plainLine(what)}`);
  }

  lineTooLong(): WhitelineError {
    return this.wrote(`a line of more than ${helperLimits.lineBytes} bytes`);
  }

  /** On another machine. `words`: how it ended, as they follow its name. */
  gone(words: string): WhitelineError {
    return this.of('HOST_DIED', words);
  }

  fault(fault: HelperFault, lastWords: string): WhitelineError {
    const said = saying(lastWords);
    switch (fault) {
      case 'not-ready':
        return this.of(
          'HOST_SILENT',
          `was not ready within ${seconds(helperLimits.readyMs)} and was ended${said}`,
        );
      case 'silent':
        return this.of(
          'HOST_SILENT',
          `gave no sign of life for ${seconds(helperLimits.silentMs)} and was ended${said}`,
        );
      case 'deaf':
        return this.of('HOST_DIED', `does not read commands any more and was ended${said}`);
      case 'unread':
        return this.of(
          'TOOL_FAILED',
          `was ended, since more than ${helperLimits.unreadBytes} bytes that it sent waited for ` +
            `${seconds(helperLimits.unreadMs)} and were not taken`,
        );
    }
  }

  stopped(): WhitelineError {
    return new WhitelineError({ code: 'ABORTED', message: `The ${this.name} was stopped` });
  }

  private of(code: Problem['code'], what: string): WhitelineError {
    return new WhitelineError({
      code,
      message: `The ${this.name} ${what}`,
      field: 'helper',
      value: this.name,
      remedy: 'What was measured before is kept; start the run again',
    });
  }
}

function howEnded({ exitCode, endSignal }: HelperEnd): string {
  return endWords({ exitCode, signal: endSignal });
}

function saying(lastWords: string): string {
  const text = plainLine(lastWords.trim().slice(-mostSaidCharacters));
  return text === '' ? '' : `. Its last words: ${text}`;
}
