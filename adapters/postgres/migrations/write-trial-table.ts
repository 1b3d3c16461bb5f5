/** What a control plane writes to find out whether PostgreSQL can write again: one row, never compressed. */
export const writeTrialTable = `
CREATE TABLE IF NOT EXISTS es.write_trial (content bytea NOT NULL);
ALTER TABLE es.write_trial ALTER COLUMN content SET STORAGE EXTERNAL;
`;
