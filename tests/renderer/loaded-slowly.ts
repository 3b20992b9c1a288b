// Loading it takes more turns than `settle` waits for a response.
for (let turn = 0; turn < 5_000; turn++) await new Promise(setImmediate)

export {}
