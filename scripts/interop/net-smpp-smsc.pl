#!/usr/bin/perl
# A message centre on the library Net::SMPP: accepts every bind and every submit_sm, answers with an id in hexadecimal
# and sends a receipt that writes it in decimal, every second one without optional parameters. Prints READY and its port,
# and at SIGTERM one line of what it saw. It is there to disagree with us: nothing in it is ours.
use strict;
use warnings;
use IO::Select;
use Net::SMPP;

$| = 1;
my $listener = Net::SMPP->new_listen('127.0.0.1', port => 0, async => 1, enquire_interval => 0)
    or die "cannot listen: $!";
my $select = IO::Select->new($listener);
my $next_id = 0xA00000;
my %seen = (binds => 0, submits => 0, headed => 0, ucs2 => 0, acknowledged => 0, refused => 0, enquiries => 0);
my $stopping = 0;
$SIG{TERM} = sub { $stopping = 1 };
print "READY port=", $listener->sockport, "\n";

sub receipt {
    my ($link, $pdu, $id) = @_;
    my $date = '2603020900';
    my $text = sprintf 'id:%d sub:001 dlvrd:001 submit date:%s done date:%s stat:DELIVRD err:000 text:', $id, $date, $date;
    my @parameters = $id % 2 ? () : (receipted_message_id => "$id\0", message_state => pack('C', 2));
    $link->deliver_sm(
        source_addr_ton => $pdu->{dest_addr_ton}, source_addr_npi => $pdu->{dest_addr_npi},
        source_addr => $pdu->{destination_addr},
        dest_addr_ton => $pdu->{source_addr_ton}, dest_addr_npi => $pdu->{source_addr_npi},
        destination_addr => $pdu->{source_addr},
        esm_class => 0x04, short_message => $text, @parameters);
}

# False when the link is over.
sub handle {
    my ($link) = @_;
    my $pdu = $link->read_pdu() or return 0;
    my $seq = $pdu->{seq};
    my $name = $pdu->explain_cmd();
    if ($name =~ /^bind_(transceiver|transmitter|receiver)$/) {
        $seen{binds}++;
        my $answer = "${name}_resp";
        $link->$answer(seq => $seq, system_id => 'NETSMPP');
    } elsif ($name eq 'submit_sm') {
        $seen{submits}++;
        $seen{headed}++ if $pdu->{esm_class} & 0x40;
        $seen{ucs2}++ if $pdu->{data_coding} == 8;
        my $id = $next_id++;
        $link->submit_sm_resp(seq => $seq, message_id => sprintf('%X', $id));
        receipt($link, $pdu, $id);
    } elsif ($name eq 'deliver_sm_resp') {
        $seen{$pdu->{status} == 0 ? 'acknowledged' : 'refused'}++;
    } elsif ($name eq 'enquire_link') {
        $seen{enquiries}++;
        $link->enquire_link_resp(seq => $seq);
    } elsif ($name eq 'unbind') {
        $link->unbind_resp(seq => $seq);
        return 0;
    } else {
        warn "not expected: $name\n";
        $seen{refused}++;
    }
    return 1;
}

until ($stopping) {
    for my $ready ($select->can_read(0.2)) {
        if ($ready == $listener) {
            my $link = $listener->accept or next;
            $select->add($link);
        } elsif (!handle($ready)) {
            $select->remove($ready);
            $ready->close;
        }
    }
}
print 'SAW ', join(' ', map { "$_=$seen{$_}" } sort keys %seen), "\n";
