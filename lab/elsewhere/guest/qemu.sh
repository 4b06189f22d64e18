#!/bin/sh
# Runs a program in the emulator. The program's own name is that of a script
# which does so too: a test that starts itself again would otherwise hand a
# foreign program to the kernel.
program=$1
shift
cat >"$program.sh" <<EOF
#!/bin/sh
exec $ROUSE_PIN $ROUSE_EMULATOR -0 "\$0" "$program" "\$@"
EOF
chmod +x "$program.sh"
exec "$program.sh" "$@"
