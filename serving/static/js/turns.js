// The turns of a thread, read from its runs.

const ACTIVE = ["pending", "running"];

export const isActive = ({ status }) => ACTIVE.includes(status);

/**
 * Return a thread's turns, oldest first: {id, question, run}, with the run that shows how the turn ended.
 *
 * A turn has several runs if it was tried again, or went on after a decision.
 */
export function turnsOf(runs) {
  const turns = new Map();
  for (const run of runs) {
    const { turn, question } = run.metadata;
    if (turn) turns.set(turn, { id: turn, question, run });
  }
  return [...turns.values()];
}
