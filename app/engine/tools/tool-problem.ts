import { WhitelineError } from '../../protocol/errors';
import type { Requirement } from '../experiment/experiment';
import { findTool, type ToolResult } from './run-tool';

const mostShownCharacters = 300;

/** A tool that did not do what it was asked for, in its own words. */
export function toolFailed(tool: string, said: string, remedy?: string): WhitelineError {
  const text = said.trim().replace(/\s+/g, ' ');
  const shown = text.length > mostShownCharacters ? `${text.slice(0, mostShownCharacters)}…` : text;
  return new WhitelineError({
    code: 'TOOL_FAILED',
    message: `${tool} failed: ${shown || 'it said nothing'}`,
    field: 'tool',
    value: tool,
    remedy,
  });
}

/** Output that is not what this tool writes. */
export function toolNonsense(tool: string, why: string, output: string): WhitelineError {
  return toolFailed(tool, `its output cannot be used (${why}): ${output}`);
}

/** @throws WhitelineError TOOL_FAILED if a signal ended the tool */
export function refuseKilled(tool: string, { endSignal }: ToolResult): void {
  if (endSignal) throw toolFailed(tool, `it was killed by ${endSignal}`);
}

/** A program that has to be there; `howToGet` is a sentence. */
export function toolRequirement(tool: string, howToGet: string): Requirement {
  return {
    name: tool,
    check: async () => (findTool(tool) ? null : `${tool} is not installed, or not in PATH. ${howToGet}`),
  };
}
